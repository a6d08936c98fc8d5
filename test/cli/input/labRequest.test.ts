import { compressionBench } from '../../../lib/benchmark/compression';
import { metadataBench } from '../../../lib/benchmark/metadata';
import { storageBench } from '../../../lib/benchmark/storage';
import { chosenArms, heldBy, modelledConfigurations, slurmFor } from '../../../lib/cli/input/labRequest';

const LZ4 = { deploymentType: 'PERSISTENT_1', storageCapacityGiB: 14_400, perUnitStorageThroughput: 200 };
const modelOf = (text: string | true | undefined, definition = compressionBench, arms = ['lz4']) => {
  const { arms: modelled, settings } = modelledConfigurations(definition, arms, text);
  return { arms: modelled.map(({ name, storage }) => [name, storage]), settings };
};

test.each<[string | true | undefined, typeof compressionBench, ReturnType<typeof modelOf>]>([
  // As the study had it.
  [undefined, compressionBench, { arms: [['lz4', expect.objectContaining(LZ4)]], settings: [] }],
  [true, compressionBench, { arms: [['lz4', expect.objectContaining(LZ4)]], settings: [] }],
  ['none', compressionBench, { arms: [], settings: [] }],
  [
    'PERSISTENT_2:500,12TiB',
    compressionBench,
    {
      arms: [
        [
          'lz4',
          expect.objectContaining({
            ...{ deploymentType: 'PERSISTENT_2', storageCapacityGiB: 12_000, perUnitStorageThroughput: 500 },
            dataCompressionType: 'LZ4',
          }),
        ],
      ],
      settings: expect.arrayContaining(['deploymentType=PERSISTENT_2', 'storageCapacityGiB=12000']),
    },
  ],
])('--model %s of %j models %j', (text, definition, modelled) => {
  expect(modelOf(text, definition)).toEqual(modelled);
});

test('two arms with the same model have its settings once, and stay in their order', () => {
  const { arms, settings } = modelOf('SCRATCH_2,4800GiB', compressionBench, ['none', 'lz4']);
  expect(arms.map(([name]) => name)).toEqual(['none', 'lz4']);
  expect(settings).toEqual([...new Set(settings)]);
});

test.each([['12TiB', compressionBench, "'model' must be a type with its MB/s per TiB and a capacity"]] as const)(
  '--model %s of %j is refused',
  (text, definition, words) => {
    expect(() => modelOf(text, definition)).toThrow(words);
  },
);

test('a storage whose figures have no short form has its model without a value', () => {
  expect(() => modelOf('12TiB', storageBench, ['xfs'])).toThrow("'model' ('12TiB') cannot be combined with EBS");
});

test.each([
  [compressionBench, undefined, ['none', 'lz4']],
  [metadataBench, undefined, ['p250-3000', 'p250-6000', 'p250-12000']],
  [compressionBench, ['lz4'], ['lz4']],
  [compressionBench, [], null],
  [compressionBench, ['lz4', 'lz4'], null],
  [compressionBench, ['lz4', 'zzz'], null],
])('of %j the arms %j are %j', (definition, arms, chosen) => {
  const choose = () => chosenArms(definition, arms);
  if (chosen === null) expect(choose).toThrow(/^'arms' must be some of none, lz4.*each once, got/);
  else expect(choose()).toEqual(chosen);
});

test('only Slurm needs nodes: as many as the lab has clients, and two for what a run submits', () => {
  expect(slurmFor(compressionBench)).toBeUndefined();
  expect(slurmFor(compressionBench, 'slurm')).toEqual({ nodes: 1, processors: 2 });
  expect(() => slurmFor(compressionBench, 'ssh')).toThrow("'launcher' must be one of ");
  const held = { ...compressionBench, lab: { ...compressionBench.lab, slurmNodes: 3 } };
  expect(slurmFor(held)).toEqual({ nodes: 3, processors: 1 });
  expect(heldBy(held, { nodes: 3, processors: 2 })).toEqual({ clients: { count: 3 + 2, instanceType: 'c5n.large' } });
  expect(heldBy(held, undefined)).toEqual({});
  expect(heldBy(compressionBench, { nodes: 3, processors: 2 })).toEqual({});
});
