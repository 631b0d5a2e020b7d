// Runs the stages of `.ci/run` or `.ci/full`, and sums up: what was flaky, what failed, the seconds of each stage, and as the
// last line `N passed, N failed, N skipped`. A stage that is no suite of tests counts as one failure where it fails.
//
// node .ci/stages.mjs run|full [STAGE …]
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatResults, lastLine, total } from '../scripts/mocha/results.mjs';
import { SUITES } from '../scripts/mocha/suites.mjs';

/** What a fresh clone needs before anything else. */
const READY = [
  ['install', 'bash .ci/install.sh'],
  // Of so many packages one may break off, which npm does not ask for again.
  ['npm-ci', 'npm ci --fetch-retries=5 || npm ci --fetch-retries=5'],
  ['electron', 'node scripts/electron-for-tests.mjs --download'],
  ['check', 'npm run check'],
];

/** What decides whether a change lands, the quickest answers first. */
const GATE = [
  ...READY,
  ...stagesOf(SUITES.filter(({ isForEachChange }) => isForEachChange)),
  ['smoke', 'node scripts/smoke-test.mjs'],
];

/** Another one each time, unlike that of `.ci/run`: a failure prints the seed that shows it again. */
const seed = process.env['COUNTERSIGN_TEST_SEED'] ?? String(randomInt(0x7fff_ffff));

/** @type {Record<string, {stages: string[][], goesOn: boolean, environment?: Record<string, string>}>} */
const PIPELINES = {
  run: { stages: GATE, goesOn: false },
  // All that there is, every night and before something is called done.
  full: {
    stages: [
      ...GATE,
      ...stagesOf(SUITES.filter(({ isForEachChange }) => !isForEachChange)),
      // Rules that need types: minutes, and more memory than Node.js takes by itself.
      ['lint-types', 'NODE_OPTIONS=--max-old-space-size=6144 npm run lint:types'],
      ['random-models', `node scripts/properties.mjs --models 10000 --seed ${seed}`],
      // 10,000 keys and clicks in the browser, and as many in Electron.
      ['monkey', `node scripts/monkey.mjs --actions 20000 --seed ${seed}`],
      // 10,000 odd values, in every way in which values reach a server.
      ['odd-values', `node scripts/odd-values.mjs --commands 10000 --seed ${seed}`],
      // Clients of the API by the generators that docs/clients.md names; their languages are needed, or they are skipped.
      ['generated-clients', 'node scripts/generated-clients.mjs'],
      // The same tests on the current LTS of Node.js, whose binary comes from npm; but not the sweeps.
      [
        'lts',
        `bash .ci/on-lts.sh ${SUITES.map((suite) => suite.name)
          .filter((suite) => suite !== 'sweeps')
          .join(' ')}`,
      ],
    ],
    goesOn: true,
    environment: { COUNTERSIGN_TEST_SEED: seed },
  },
};

/** @param {readonly import('../scripts/mocha/suites.mjs').Suite[]} suites */
function stagesOf(suites) {
  return suites.map((suite) => [suite.name, `npm run test:${suite.name}`]);
}

const [name = '', ...only] = process.argv.slice(2);
const pipeline = PIPELINES[name];
const unknown = only.filter((stage) => !pipeline?.stages.some(([known]) => known === stage));
if (pipeline === undefined || unknown.length > 0) {
  process.stderr.write(
    `usage: .ci/run [STAGE …] or .ci/full [STAGE …]; ${unknown.length === 0 ? '' : `there is no stage ${unknown.join(', ')}: `}${pipeline?.stages.map(([stage]) => stage).join(', ') ?? ''}\n`,
  );
  process.exit(2);
}

if (pipeline.environment !== undefined)
  process.stdout.write(
    `${Object.entries(pipeline.environment)
      .map((each) => each.join('='))
      .join('\n')}\n`,
  );
const directory = mkdtempSync(join(tmpdir(), 'countersign-ci-'));
const all = [];
const seconds = [];
for (const [stage, command] of pipeline.stages.filter(([stage]) => only.length === 0 || only.includes(stage))) {
  process.stdout.write(`\n== ${stage}: ${command}\n`);
  const begin = performance.now();
  const file = join(directory, `${stage}.jsonl`);
  const { status, signal } = spawnSync('bash', ['-c', command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...pipeline.environment, CI: 'true', COUNTERSIGN_TEST_RESULTS: file },
  });
  const ofStage = total(
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [],
  );
  const hasFailed = status !== 0;
  if (hasFailed && ofStage.failed.length === 0)
    ofStage.failed.push({ file: command, title: 'all of it', error: `It ended with ${signal ?? status}; see above.` });
  all.push(
    Object.fromEntries(
      Object.entries(ofStage).map(([kind, tests]) => [
        kind,
        tests.map((each) => ({ ...each, title: `${stage}: ${each.title}` })),
      ]),
    ),
  );
  seconds.push([stage, Math.round((performance.now() - begin) / 1000), hasFailed ? 'failed' : '']);
  if (hasFailed && !pipeline.goesOn) break;
}
rmSync(directory, { recursive: true, force: true });

const results = total(all);
process.stdout.write(
  `\n${formatResults(results)}Seconds of each stage:\n${seconds.map(([stage, spent, how]) => `  ${String(spent).padStart(5)}  ${stage} ${how}`.trimEnd()).join('\n')}\n`,
);
process.stdout.write(
  `  ${String(seconds.reduce((sum, [, spent]) => sum + spent, 0)).padStart(5)}  all\n\n${lastLine(results)}\n`,
);
process.exitCode = results.failed.length > 0 ? 1 : 0;
