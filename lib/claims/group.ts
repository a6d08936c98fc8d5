import { type Difference, differencePhrase } from './comparable';
import type { ConditionName } from './schema';
import type { Judgement } from './verdict';

/** Figures that are not comparable for the same reason. */
export interface Incomparable {
  readonly judgements: readonly Judgement[];
  /** The studies of the figures. */
  readonly studies: readonly string[];
  /** The shared reason. */
  readonly because: string;
}

/** The most informative conditions first. */
const INFORMATIVE: readonly ConditionName[] = [
  ...(['storage', 'network', 'operation', 'dataSet', 'pattern', 'tool', 'deploymentType', 'compression'] as const),
  ...(['capacityGiB', 'perUnitMBps', 'metadataIops', 'instanceType', 'clients', 'ranks', 'window'] as const),
];
/** The most conditions to list; the verdict has all. */
const MOST_LISTED = 3;

function byInformation(differences: readonly Difference[]): Difference[] {
  const rank = ({ condition }: Difference): number => {
    const at = INFORMATIVE.indexOf(condition);
    return at < 0 ? INFORMATIVE.length : at;
  };
  return [...differences].sort((a, b) => rank(a) - rank(b));
}

/**
 * Groups the figures that are not comparable by reason: figures that differ from the run in the same conditions share a group, which lists
 * the three most informative conditions with the study's values. The largest group comes first.
 */
export function incomparableByReason(judgements: readonly Judgement[]): Incomparable[] {
  const incomparable = judgements.filter(({ verdict }) => verdict === 'not comparable');
  const groups = Map.groupBy(incomparable, ({ differences, because, claim }) => {
    // A reason that is not a difference, such as the lab, applies to the figures of all studies.
    const listed = byInformation(differences).slice(0, MOST_LISTED);
    return JSON.stringify(
      listed.length === 0 ? because : [claim.study, ...listed.map(({ condition, run }) => [condition, run])],
    );
  });
  const found = [...groups.values()].map((own) => ({
    judgements: own,
    studies: [...new Set(own.map(({ claim }) => claim.study))],
    because: reasonOf(own),
  }));
  return found.sort((a, b) => b.judgements.length - a.judgements.length);
}

function reasonOf(own: readonly Judgement[]): string {
  const [first] = own;
  if (first === undefined || first.differences.length === 0) return first?.because ?? '';
  const each = own.map(({ differences }) => byInformation(differences));
  const phrases = (each[0] ?? []).slice(0, MOST_LISTED).map((difference, index) =>
    differencePhrase(
      difference,
      each.map((differences) => differences[index]?.study ?? ''),
    ),
  );
  const most = Math.max(...each.map(({ length }) => length)) - MOST_LISTED;
  return [...phrases, ...(most > 0 ? [`and more (${most})`] : [])].join('; ');
}
