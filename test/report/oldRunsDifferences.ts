import { ARM_COLOURS, DARK_ARM_COLOURS } from '../../lib/kit/page/palette';

export type Form = 'html' | 'md' | 'json';

/** Words or figures of a report that are others now, on purpose. */
export interface Difference {
  readonly why: string;
  readonly forms: readonly Form[];
  /** As it was; replaced wherever it stands, after the differences before it. */
  readonly was: string | RegExp;
  readonly is: string;
}

const words =
  (why: string, ...forms: readonly Form[]) =>
  (was: string | RegExp, is: string): Difference => ({ why, forms, was, is });

const term = words('the term of the field', 'html');
const plainly = words('plain words', 'html');
const everywhere = words('plain words', 'html', 'md', 'json');

/** A head of a column. */
const column = (was: string, is: string): Difference => {
  const head = (label: string): string => `<th scope="col"${label}</th>`;
  return term(head(was), head(is));
};
const ofNumbers = (was: string, is: string): Difference => column(` class="number">${was}`, ` class="number">${is}`);
const ofWords = (was: string, is: string): Difference => column(`>${was}`, `>${is}`);

const warned = 'what the plan warned of is not also said not to have been checked';
const fleet = 'one client of the lab is not the fleet that was deployed';

const look = (why: string) => words(why, 'html');

export const DIFFERENCES: readonly Difference[] = [
  look('servers that had room are not said to have been the limit (limits.test.ts)')(
    'or where the rate came to 85 % of it. The share',
    'or where the rate came to 85 % of it and nothing says that the servers had room. The share',
  ),
  look('intervals say that so few repeats are taken as independent')(
    ' A difference is called real when its interval leaves out 1.',
    ' With fewer than 8 repeats the intervals hold if repeats do not depend on one another; more would show whether they do. A difference is called real when its interval leaves out 1.',
  ),
  look('more than six arms had colours of others')(
    '--arm-5: #44484d;',
    `--arm-5: #44484d; ${ARM_COLOURS.slice(6)
      .map((colour, at) => `--arm-${at + 6}: ${colour};`)
      .join(' ')}`,
  ),
  look('more than six arms had colours of others')(
    '--arm-5: #b9bec4;',
    `--arm-5: #b9bec4; ${DARK_ARM_COLOURS.slice(6)
      .map((colour, at) => `--arm-${at + 6}: ${colour};`)
      .join(' ')}`,
  ),
  look('a phase of writing could not be told from one of reading')(
    '--phase-write: #efe9dc; --phase-read: #e6eef2;',
    '--phase-write: #f1dfb8; --phase-read: #cfe3ee;',
  ),
  look('a phase of writing could not be told from one of reading')(
    '--phase-write: #2b2820; --phase-read: #1d2a31;',
    '--phase-write: #453716; --phase-read: #173a4d;',
  ),
  look('a phase of writing could not be told from one of reading')(
    '--phase-write: #eee6d5; --phase-read: #e2ecf1;',
    '--phase-write: #f1dfb8; --phase-read: #cfe3ee;',
  ),
  look('the table of space was cut at 1,440 pixels')(
    '.charts.aside { align-items: start; }',
    '.charts.aside { align-items: start; grid-template-columns: repeat(auto-fit, minmax(min(100%, 23rem), 1fr)); }',
  ),
  look('the first picture is wider than the others')('.wide .chart {', '.wide .chart, .findings + .charts .chart {'),
  look('ids are broken where a phone has no room')(
    '  th, td { padding-right: 0.7rem; }\n',
    '  th, td { padding-right: 0.7rem; }\n  .id { white-space: normal; }\n',
  ),
  look('in print a head stays with its rows')(
    '  figure, tr, .lab, .validity { break-inside: avoid; }\n',
    '  figure, tr, .lab, .validity { break-inside: avoid; }\n  thead { display: table-header-group; }\n  caption, thead, thead tr, tr.group { break-after: avoid; }\n',
  ),
  look('a table that is cut at an edge shows that there is more')(
    '.table { overflow-x: auto; margin: 0.4rem 0 1.2rem; }',
    '.table {\n  overflow-x: auto; margin: 0.4rem 0 1.2rem;\n  /* A shade at the edge behind which there is more; the first two are scrolled along and hide it where there is not. */\n  background:\n    linear-gradient(to right, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,\n    linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,\n    linear-gradient(to right, var(--rule), transparent) left / 0.7rem 100% no-repeat scroll,\n    linear-gradient(to left, var(--rule), transparent) right / 0.7rem 100% no-repeat scroll;\n}',
  ),
  look('charts are readable on a phone')(
    '  .id { white-space: normal; }\n}\n',
    '  .id { white-space: normal; }\n  /* Its words would be too small to read: it scrolls. */\n  .wide figure { overflow-x: auto; }\n  .wide .chart { width: 34rem; max-width: none; }\n}\n',
  ),
  look('short tables stay whole in print')(
    '  caption, thead, thead tr, tr.group { break-after: avoid; }\n',
    '  caption, thead, thead tr, tr.group { break-after: avoid; }\n  tbody, tbody tr:first-child { break-before: avoid; }\n  /* What is short stays whole. */\n  table:not(:has(tbody tr:nth-child(16))) { break-inside: avoid; }\n',
  ),
  look('short tables stay whole in print')(
    '.table { overflow: visible; }',
    '.table { overflow: visible; background: none; }',
  ),
  words(warned, 'html', 'md', 'json')('5 checks could not be made', '4 checks could not be made'),
  words(warned, 'html', 'md', 'json')('6 checks could not be made', '5 checks could not be made'),
  words(
    warned,
    'html',
    'md',
  )(/([45] checks could not be made\. (?:<span class="soft">)?Expected )phases of 300 s[^;]*; /g, '$1'),
  words(warned, 'html', 'md')('found the lab’s metrics are published every few seconds; ', 'found '),
  words(warned, 'json')(
    /("message":"[45] checks could not be made\.","expected":")phases of 300 s[^;]*; ([^"]*","actual":")the lab’s metrics are published every few seconds; ([^"]*","where":")phase-too-short, /g,
    '$1$2$3',
  ),
  words(warned, 'html')(
    '<td>not checked</td><td>the lab’s metrics are published every few seconds</td>',
    '<td><strong>warning</strong></td><td>by the plan; the finished run was not checked: the lab’s metrics are published every few seconds</td>',
  ),
  words(fleet, 'html')(
    /<dd>(\d+ × [a-z0-9.]+<\/dd>)(?=(?:(?!<\/dl>).)*(?:one|a) point every 5 s)/gs,
    '<dd>this machine in the place of $1',
  ),
  words(fleet, 'html')(
    /<details><summary>Clients<\/summary>\s*<ul class="plain">(?:<li><code>i-[0-9a-f]{17}<\/code>(?:(?!<\/li>).)*<\/li>\s*)+<\/ul>\s*<\/details>\n/gs,
    '',
  ),
  words('a run on directories is not the lab’s', 'html')(
    ' · lab scale · 22 Nov 2026, 05:49:16',
    ' · sized for one machine · 22 Nov 2026, 05:49:16',
  ),
  look('what an interval is, before how it was made')(
    /<p>(The quotient of a row is|The quotient is that of)/g,
    '<p>The interval says how far the ratio could be off by chance. $1',
  ),
  words('long words break in print, where a table was cut off', 'html')(
    'th, td { padding-right: 0.5rem; }',
    'th, td { padding-right: 0.4rem; overflow-wrap: anywhere; }',
  ),
  words('the page that says so', 'html')(
    /\(guide\/([a-z-]+)/g,
    '(<a href="https://docs.aws.amazon.com/fsx/latest/LustreGuide/$1.html">$1</a>',
  ),
  words('the page that says so', 'json')(
    /\(guide\/([a-z-]+)/g,
    '(https://docs.aws.amazon.com/fsx/latest/LustreGuide/$1.html',
  ),
  words('what passes says what could have been found', 'html')(
    'A check that could not be made says why, and counts',
    'What passed says what the check could have found in this run: less than that may still be there. A check that cannot tell, or could not be made, says why, and counts',
  ),
  words('what passes says what could have been found', 'html')(
    'Why, or what was found',
    'Found, could have been found, or why not',
  ),
  // Findings and answers.
  everywhere(
    'the run is the lab’s: its rates are those of local file systems',
    'it is a lab run: its rates are those of local file systems',
  ),
  everywhere(
    'local file systems stood in for Amazon FSx: nothing is documented of them',
    'local file systems stood in for Amazon FSx, and nothing is documented for them',
  ),
  words(
    'the lab stands in for other storages, too',
    'html',
    'md',
    'json',
  )(
    'local file systems stood in for Amazon FSx, and nothing is documented for them',
    'local file systems stood in for the deployed ones, and nothing is documented for them',
  ),
  words(
    'the lab stands in for other storages, too',
    'html',
    'md',
    'json',
  )('those of Amazon FSx’s servers, and here local', 'those of the deployed storages, and here local'),
  everywhere(
    'the lab’s file systems count no bytes and operations of clients',
    'the lab’s file systems do not count the clients’ bytes and operations',
  ),
  everywhere('A run on local file systems does not tell', 'A run on local file systems cannot say'),
  everywhere(
    'nothing is documented of directories of one machine',
    'nothing is documented for directories of one machine',
  ),
  everywhere('A run on directories of one machine does not tell', 'A run on directories of one machine cannot say'),
  everywhere('documented to do it for good is', 'documented to sustain it is'),
  everywhere('looked at files', 'ran stat on files'),
  everywhere('Not told: ', 'Not available: '),
  words('plain words', 'json')('took was not read back', 'took was not measured'),
  words('as on the page', 'md')('> This run compared directories', '> **Please note.** This run compared directories'),
  // Heads of columns.
  ofWords('<span class="unseen">What</span>', 'Operation'),
  ofWords('What', 'Operation'),
  ofWords('Work', 'Operation'),
  ofWords('From', 'Source'),
  ofWords('Asked for', 'Requested'),
  ofNumbers('Least', 'Min'),
  ofNumbers('Most', 'Max'),
  ofNumbers('Quotient', 'Ratio'),
  ofNumbers('Smallest that would show', 'Smallest detectable'),
  ofNumbers('Reached', 'Measured'),
  ofNumbers('Read back', 'Measured'),
  ofNumbers('For good', 'Sustained'),
  ofNumbers('In a burst', 'Burst'),
  ofNumbers('Error of the burst', 'Error, burst'),
  ofNumbers('An hour', 'Per hour'),
  ofNumbers('A million', 'Per million'),
  ofNumbers('A TB', 'Per TB'),
  ofNumbers('Each 1,000 op/s, a month', 'Each 1,000 op/s, per month'),
  ofNumbers('Each extra 1,000 op/s, a month', 'Each extra 1,000 op/s, per month'),
  ofNumbers('Ranks a client', 'Ranks per client'),
  // Captions, headings and what stands below them.
  plainly('operations a second of all clients against', 'operations per second of all clients against'),
  plainly(
    'What operations cost, at list prices of file system and clients; by the month, of the file system alone',
    'Cost of operations at list prices of file system and clients; per month: of the file system alone',
  ),
  plainly(
    'How many metadata IOPS this workload needs: what the fastest rate takes by the documented rates, as AWS provisions them',
    'Metadata IOPS that this workload needs: for the fastest measured rate, by the documented rates, in the steps that AWS provisions',
  ),
  plainly('<strong>what set the pace<', '<strong>bottleneck<'),
  plainly('<strong>price by the month<', '<strong>price per month<'),
  term(
    'the quotient is the mean over pairs, with the interval that holds it',
    'the ratio is the mean over pairs, with its interval',
  ),
  term(
    'the quotient is that of the means over the repeats, with the interval that holds it',
    'the ratio is that of the means over the repeats, with its interval',
  ),
  term('Medians before and after, and their quotient', 'Medians before and after, and their ratio'),
  term('Medians before and after, and their ratio', 'Geometric means before and after, and their ratio'),
  words('one form of a change of nothing', 'html')('>0.0 %<', '>0 %<'),
  term(': quotients by repeat', ': ratios by repeat'),
  term('The quotient of a row', 'The ratio of a row'),
  term('the pairs’ quotients', 'the pairs’ ratios'),
  term('The quotient is that of', 'The ratio is that of'),
  term('“Smallest that would show”', '“Smallest detectable”'),
  term('First and last done', 'Stragglers'),
  term('Compression read back<', 'Compression measured<'),
  term('>file system, an hour<', '>file system, per hour<'),
  term('100 % is what AWS promises for good', '100 % is the sustained rate that AWS documents'),
  term(
    'between what is documented for good and in a burst, or within 5 % of that',
    'between the documented baseline and burst, or within 5 % of them',
  ),
  term('>ratio read back (x:1)<', '>measured ratio (x:1)<'),
  term('against the ratio read back. ', 'against the measured ratio. '),
  term(
    'Compression ratio read back against the ratio asked for',
    'Measured compression ratio against the requested one',
  ),
  term(
    '<strong>Ratio read back</strong> against ratio asked for',
    '<strong>Measured ratio</strong> against requested ratio',
  ),
  term('>read back (x:1)<', '>measured (x:1)<'),
  term('>asked for (x:1)<', '>requested (x:1)<'),
  term('by what was asked for', 'by what was requested'),
  term('at the ratio read back, MB/s', 'at the measured ratio, MB/s'),
  term('× the ratio read back, up to', '× the measured ratio, up to'),
  term('against what was read back', 'against what was measured'),
  plainly(
    /the space that it takes, read back by (\w+) after the data were written/g,
    'the space that they take, measured with $1 after they were written',
  ),
  plainly('Not known of ', 'Not available for '),
  plainly('what was found stands at the top of this page, with', 'what was found stands at the top, with'),
  plainly('what has no object in this run is left out.', 'checks that do not apply to this run are left out.'),
  plainly('A number after what was done is', 'A number after the operation is'),
  plainly('<dd>a point every', '<dd>one point every'),
  plainly('What the service said of ', 'How the service describes '),
  plainly(
    'Efficiency is what was reached ÷ what AWS documents for',
    'Efficiency is the measured rate ÷ the rate that AWS documents for',
  ),
  plainly('Each mark divides an arm', 'Each ratio divides an arm'),
  plainly(
    /repeats run from left to right\. What both arms share, such as a slow hour, falls out\. The dashed line is equality\.(?: (Here[^<]*))?/g,
    'repeats run from left to right, and the dashed line is equality. What both arms share, such as a slow hour, cancels out. $1',
  ),
  plainly(/such as a slow hour, cancels out\. +(?=<)/g, 'such as a slow hour, cancels out.'),
  plainly('median of an arm; “varies by”', 'median of an arm. “Varies by”'),
  plainly('over the mean. \n</p>', 'over the mean.</p>'),
  plainly('in the raw files.\n', 'in the raw files. '),
  plainly('in the raw files. </p>', 'in the raw files.</p>'),
  plainly(
    'Of an arm with more than 6 servers or targets, a band goes from the least to the most of them and the line along their median; each one’s range is in the figures.',
    'For an arm with more than 6 servers or targets, a band spans their minimum and maximum and the line is their median; the range of each is in the figures.',
  ),
  ...['', '--benchmark MetadataBench --arms p250-none p250-12000 '].map((chosen) =>
    words(
      'by default the quick start holds a scale model',
      'html',
      'md',
    )(`npm run quickstart -- ${chosen}--set repeats=`, `npm run quickstart -- ${chosen}--model none --set repeats=`),
  ),
  // Figures have their unit in the line that opens them: it is what Markdown has above the table.
  ...[
    ['write', 'MB/s'],
    ['read', 'MB/s'],
    ['run seconds', 's (lower is better)'],
    ...['file_create', 'file_create of 4 KiB', 'file_stat', 'file_remove'].map((name) => [`${name} rate`, 'op/s']),
  ].map(([name, unit]) =>
    words('the unit stands above the table in Markdown', 'html')(
      `<summary>Figures: ${name}</summary>`,
      `<summary>Figures: ${name}, ${unit}</summary>`,
    ),
  ),
  // Figures of what lies below a file system.
  words('the tool’s own name', 'html', 'json')('lnet_selftest', 'lst'),
  words('the tool’s own name', 'md')('lnet\\_selftest', 'lst'),
  ...Object.entries({ 'network\\.ib': 'tcp', 'network\\.lnet': 'lnet', nvme: 'raw', raidz1: 'raidz1' }).map(
    ([id, layer]) =>
      words('the layer that it is of', 'json')(
        new RegExp(`("id":"lanl\\.${id}"[^{}]*"kind":"measured",)`, 'g'),
        `$1"layer":"${layer}",`,
      ),
  ),
  words('no network is between a server and its disks', 'json')('{"network":"InfiniBand","storage":', '{"storage":'),
  words('no network is between a server and its disks', 'json')(
    '{"condition":"network","run":"Ethernet of EC2","study":"InfiniBand"},{"condition":"storage"',
    '{"condition":"storage"',
  ),
  words('no network is between a server and its disks', 'json')(
    'the network is Ethernet of EC2, in the study InfiniBand; the storage is',
    'the storage is',
  ),
  words(
    'no network is between a server and its disks',
    'html',
    'md',
  )('RAID-Z1 of NVMe; the network is Ethernet of EC2, in the study InfiniBand', 'RAID-Z1 of NVMe'),
  words(
    'servers compress by other algorithms, too',
    'html',
    'md',
    'json',
  )('Rates with LZ4:', 'Rates with compression:'),
  words('servers compress by other algorithms, too', 'html', 'md', 'json')('Without LZ4', 'Uncompressed'),
  everywhere('those who work together are done together', 'processes that start together finish together'),
  everywhere('no sample apart from the others of its kind', 'no outlier among samples of the same kind'),
  everywhere('data compress as they were made to', 'data compress as intended'),
  look('short tables stay whole in print')(
    '  th, td { padding-right: 0.4rem; overflow-wrap: anywhere; }\n',
    '  th, td { padding-right: 0.4rem; overflow-wrap: anywhere; }\n  /* No column is narrower than a word of its head, or a part of an id. */\n  thead th, td .id { overflow-wrap: break-word; }\n  .id { white-space: normal; }\n',
  ),
];

/** A part of the report that was written anew, and why; other tests say what it must hold. */
interface Redrawn {
  readonly why: string;
  readonly part: RegExp;
  readonly markdown: RegExp | '';
}

export const REDRAWN: readonly Redrawn[] = [
  {
    why: 'geometric means in place of medians, so that their quotient is the ratio beside them (quotients.test.ts)',
    part: /<div class="beside">.*?<\/table>\s*<\/div>\s*<\/div>/s,
    markdown: /Arms side by side.*?\n\n(\|.*\n)+/s,
  },
  {
    why: 'a title that needs no knowledge of the arms’ names (firstScreen.test.ts)',
    part: /<h1>.*?<\/h1>|<title>.*?<\/title>/gs,
    markdown: /^# .*\n/gm,
  },
  {
    why: 'a picture of every comparison comes first (firstScreen.test.ts)',
    part: /<div class="charts">\s*<figure><svg class="chart" role="img" aria-labelledby="forest-title".*?<\/figure>\s*<\/div>/s,
    markdown: '',
  },
  {
    why: 'file systems that the run did not use are not among its mounts (firstScreen.test.ts)',
    part: /<caption>Mounts of.*?<\/table>/gs,
    markdown: '',
  },
];

/** Fields of the JSON document that came later. */
export const ADDED: readonly string[] = [
  // The autocorrelation that the interval of eight values or more allows for.
  'dependence',
  // The geometric means that an estimate is the quotient of.
  'means',
  // What a passed check could have found.
  'couldFind',
  'ends',
  'valuesNeeded',
  // Bytes of the users' data, before the clients compressed them.
  'logicalBytes',
  'freeSpaceStepBytes',
];

/** Headings of the Markdown that are no more, with the one under which their figures stand now. */
export const RENAMED: Readonly<Record<string, string>> = {
  'How many metadata IOPS this workload needs': 'Metadata',
  Cost: 'What was deployed, and what it cost',
};
