// The layering of the house (ARCHITECTURE.md), checked by `npm run layering`.
const core = '^packages/core/src';
const rooms = {
  domain: [],
  errors: ['domain'],
  feel: [],
  bpmn: ['domain', 'errors', 'feel'],
  dmn: ['domain', 'errors', 'feel', 'bpmn'],
  interpreter: ['domain'],
  ports: ['domain', 'errors'],
  contributions: ['domain', 'errors', 'ports'],
  application: ['domain', 'bpmn', 'dmn', 'interpreter', 'ports', 'contributions', 'errors'],
  host: ['domain', 'errors', 'feel', 'bpmn', 'dmn', 'interpreter', 'ports', 'contributions', 'application'],
};
const specs = '\\.spec(\\.support)?\\.ts$';

const coreRooms = Object.entries(rooms).map(([room, allowed]) => ({
  name: `core-${room}`,
  comment: `core/${room} may import ${allowed.length === 0 ? 'no other room of core' : allowed.join(', ')}`,
  severity: 'error',
  from: { path: `${core}/${room}/`, pathNot: specs },
  to: { path: `${core}/`, pathNot: [room, ...allowed].map((name) => `${core}/${name}/`) },
}));

module.exports = {
  forbidden: [
    ...coreRooms,
    {
      name: 'dmn-reads-xml-as-bpmn-does',
      comment: 'core/dmn shares the guarded reader of model files with core/bpmn, and nothing else',
      severity: 'error',
      from: { path: `${core}/dmn/`, pathNot: specs },
      to: { path: `${core}/bpmn/`, pathNot: `${core}/bpmn/(moddle|parse-xml|problems)\\.ts$` },
    },
    {
      name: 'no-circular',
      comment: 'files that import each other in a circle cannot be understood alone',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'core-knows-nobody',
      comment: 'core imports none of the other packages',
      severity: 'error',
      from: { path: '^packages/core/', pathNot: specs },
      to: { path: '^(packages/(?!core/)|examples/)' },
    },
    {
      name: 'contract-knows-nobody',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: '^(packages/(?!contract/)|examples/)' },
    },
    {
      name: 'plugins-know-core-and-contract',
      comment:
        'a plugin imports core/plugin (an engine also core/engine) and contract: never another plugin, never the server',
      severity: 'error',
      from: { path: '^packages/plugins/([^/]+)/' },
      to: { path: '^(packages|examples)/', pathNot: ['^packages/plugins/$1/', '^packages/(core|contract)/'] },
    },
    {
      name: 'plugins-enter-core-by-the-door',
      severity: 'error',
      from: { path: '^packages/plugins/', pathNot: ['^packages/plugins/engine-', specs] },
      to: { path: '^packages/core/', pathNot: '^packages/core/(src|dist)/plugin\\.' },
    },
    {
      name: 'engines-enter-core-by-two-doors',
      severity: 'error',
      from: { path: '^packages/plugins/engine-', pathNot: specs },
      to: { path: '^packages/core/', pathNot: '^packages/core/(src|dist)/(plugin|engine)\\.' },
    },
    {
      name: 'only-bin-knows-the-default-plugins',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['^packages/server/src/bin/', specs] },
      to: { path: '^packages/(plugins|testing)/' },
    },
    {
      name: 'web-knows-the-contract',
      comment:
        'the web UI imports contract alone, and nobody but the desktop client imports the web UI: the server serves what was built of it',
      severity: 'error',
      from: { path: '^packages/web/', pathNot: specs },
      to: { path: '^(packages|examples)/', pathNot: '^packages/(web|contract)/' },
    },
    {
      name: 'web-is-built-not-imported',
      severity: 'error',
      from: { pathNot: '^packages/(web|desktop)/' },
      to: { path: '^packages/web/src/' },
    },
    {
      name: 'desktop-knows-contract-and-shared-parts',
      comment:
        'the desktop client imports contract, its renderer also the shared parts of the web UI by their door, and nobody imports the desktop client',
      severity: 'error',
      from: { path: '^packages/desktop/', pathNot: specs },
      to: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/(desktop|contract)/', '^packages/web/(src|dist)/(inbox/index|shared)\\.'],
      },
    },
    {
      name: 'desktop-main-shows-nothing',
      comment:
        'main process and preload import what both sides share and each their own room: no renderer, no shared part of the web UI',
      severity: 'error',
      from: { path: '^packages/desktop/src/(main|preload|common)/', pathNot: specs },
      to: { path: '^packages/(desktop/src/renderer|web)/' },
    },
    {
      name: 'desktop-renderer-reaches-no-main',
      comment: 'the renderer reaches the main process by the bridge alone, and is no part of Node or Electron',
      severity: 'error',
      from: { path: '^packages/desktop/src/(renderer|common)/', pathNot: specs },
      to: { path: '^packages/desktop/src/(main|preload)/' },
    },
    {
      name: 'desktop-preload-is-small',
      comment: 'the preload imports names and types alone',
      severity: 'error',
      from: { path: '^packages/desktop/src/preload/' },
      to: { path: '^packages/', pathNot: '^packages/desktop/src/common/(channels|bridge)\\.ts$' },
    },
    {
      name: 'nobody-imports-the-desktop',
      severity: 'error',
      from: { pathNot: '^packages/desktop/' },
      to: { path: '^packages/desktop/' },
    },
    {
      name: 'inbox-knows-no-page',
      comment: 'the inbox parts are shared with the desktop client: no address, no session, no page of the web UI',
      severity: 'error',
      from: { path: '^packages/web/src/inbox/', pathNot: specs },
      to: { path: '^packages/web/src/(app|session|run|runs|approvals|workflows|inbound-events|policies|settings)/' },
    },
    {
      name: 'nobody-imports-specs',
      severity: 'error',
      from: { pathNot: specs },
      to: { path: '\\.spec\\.ts$' },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    includeOnly: '^(packages|examples|test|bench)/',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
