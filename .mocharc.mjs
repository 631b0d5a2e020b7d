import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Spec files that take the longest, the longest first. Mocha hands files out in the order in which they
 * stand, so that none of these is left over to run alone. A new one here, or a wrong order, changes the time only.
 */
const LONGEST = [
  'web/run-page',
  'conformance/traced-cases',
  'agents/injection/injection',
  'web/long-lists',
  'cli/countersign',
  'install/packed-install',
  'recovery/two-servers-talking',
  'embedded/start-embedded-postgres',
  'properties/models-1',
  'properties/models-2',
  'properties/models-3',
  'properties/models-4',
  'recovery/kill-in-calls-of-agents',
  'recovery/kill-everything',
  'security/secret-canary',
  'embedded/recovery',
  'contract/storage-contract',
  'cli/config-explain',
];

/** @typedef {'quick' | 'ui' | 'system' | 'long'} Suite */

/**
 * What takes minutes: a kill for each commit of a workload, sweeps through the whole web UI (each state of each page, each
 * action by each role, each flow by keys, hostile text everywhere, a restart under all pages, things by the thousand), the comparison with what is recorded of Zeebe, a
 * thousand runs on two servers, the packages of the desktop client, and what it does over several starts, servers
 * or people. `npm run test:long`.
 */
const LONG = /\/(?:recovery\/kill-at-every-commit-of-[^/]+|web\/(?:accessibility|roles|keyboard-[^/]+|stored-xss|restart|scale)|desktop\/(?:packaging|accessibility|keyboard|keychain|signed-votes|meanwhile|presence-start|servers|offline|evidence|questions|drafts|lost-votes|absence)|differential\/differential|event-ingress\/thousand-runs)\.spec\.js$/;

/** What needs a browser or Electron, but for a flow of each kind that `npm test` keeps. `npm run test:ui`. */
const UI = /\/test\/dist\/(?:web\/(?!(?:serving|run-page|approvals-inbox)\.)|desktop\/(?!(?:inbox|deciding)\.))[^/]+\.spec\.js$/;

/**
 * Whole programs and what is large: servers that are started, killed and installed, PostgreSQL as it comes, programs of MCP
 * servers, the examples, random models, all orders of the statements of two servers, pages of large tables. Of recovery,
 * `npm test` keeps a kill, a server that is late or stops, and two servers. `npm run test:system`.
 */
const SYSTEM = new RegExp(
  `/(?:${[
    'recovery/(?!kill-everything|two-servers\\.|stopping-worker|late-worker)[^/]+',
    'install/[^/]+',
    'storage-postgres/dist/embedded/(?:binaries|recovery|start-embedded-postgres)',
    'agents/(?:injection/injection|agents-on-two-servers)',
    'security/secret-canary',
    'cli/(?:countersign|config-explain|lint|templates)',
    'start/drain',
    'mcp/(?:hostile-servers|reference-servers)',
    'properties/(?:models-\\d|mutated-models)',
    'http/(?:policy-trial|slow-readers)',
    'connectors/(?:codehost-connector|notify)',
    '(?:inbound-events|messages)/interleavings',
    'queries/(?:called-runs-cost|page-cost)',
    'dist/(?:ci-gate|incident-response|issue-triage)',
  ].join('|')})\\.spec\\.js$`,
);

/** @param {string} file @returns {Suite} */
function suiteOf(file) {
  if (LONG.test(file)) return 'long';
  if (UI.test(`/${file}`)) return 'ui';
  return SYSTEM.test(file) ? 'system' : 'quick';
}

/** @param {string} directory */
function directoriesIn(directory) {
  return readdirSync(directory).map((name) => join(directory, name));
}

/** @param {string} directory of a package */
function specsOf(directory) {
  try {
    return readdirSync(join(directory, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.js'))
      .map((name) => join(directory, 'dist', name));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []; // no package, or not built
    throw error;
  }
}

/** @param {string} file */
function rank(file) {
  const index = LONGEST.findIndex((name) => file.endsWith(join(`/${name}.spec.js`)));
  return index < 0 ? LONGEST.length : index;
}

// End-to-end specs first: what is left for the end is short.
const packages = ['test', ...directoriesIn('packages/plugins'), ...directoriesIn('packages'), ...directoriesIn('examples')];
const all = packages.flatMap((each) => specsOf(each).sort());

/** @param {Suite} suite */
export function specsIn(suite) {
  return all.filter((file) => suiteOf(file) === suite).sort((a, b) => rank(a) - rank(b));
}

export default {
  spec: specsIn('quick'),
  ui: 'bdd',
  parallel: true,
  jobs: 2,
  timeout: 30_000,
  'node-option': ['enable-source-maps'],
  forbidOnly: true,
  require: ['packages/testing/dist/mocha-global-setup.js', 'scripts/mocha/seed.mjs'],
};
