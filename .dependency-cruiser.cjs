// The layering of the house (ARCHITECTURE.md), checked by `npm run layering`.
const core = '^packages/core/src';
const rooms = {
  'errors': [],
  'ports': ['errors'],
  'contributions': ['errors', 'ports'],
  'application': ['ports', 'contributions', 'errors'],
  'host': ['errors', 'ports', 'contributions', 'application'],
  'built-in': ['errors', 'ports', 'contributions', 'application', 'host'],
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
      comment: 'bpmn/dmn shares the guarded reader of model files with what compiles BPMN, and nothing else',
      severity: 'error',
      from: { path: '^packages/bpmn/src/dmn/', pathNot: specs },
      to: {
        path: '^packages/bpmn/src/',
        pathNot: '^packages/bpmn/src/(dmn/|(empty-elements|moddle|parse-xml|problems)\\.ts$)',
      },
    },
    {
      name: 'no-circular',
      comment: 'files that import each other in a circle cannot be understood alone',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'feel-knows-nobody',
      comment: 'feel imports none of the other packages',
      severity: 'error',
      from: { path: '^packages/feel/' },
      to: { path: '^(packages/(?!feel/)|examples/)' },
    },
    {
      name: 'embedded-postgres-knows-nobody',
      comment: 'embedded-postgres imports none of the other packages',
      severity: 'error',
      from: { path: '^packages/embedded-postgres/' },
      to: { path: '^(packages/(?!embedded-postgres/)|examples/)' },
    },
    {
      name: 'storage-starts-postgres',
      comment:
        'only the storage on PostgreSQL, and what makes databases for tests and benchmarks, know how PostgreSQL is started',
      severity: 'error',
      from: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/(embedded-postgres|plugins/storage-postgres|testing)/', specs],
      },
      to: { path: '^packages/embedded-postgres/' },
    },
    {
      name: 'model-knows-nobody',
      comment: 'model imports none of the other packages',
      severity: 'error',
      from: { path: '^packages/model/' },
      to: { path: '^(packages/(?!model/)|examples/)' },
    },
    {
      name: 'bpmn-knows-model-and-feel',
      comment: 'bpmn imports none of the other packages but model and feel; nobody else compiles expressions',
      severity: 'error',
      from: { path: '^packages/bpmn/' },
      to: { path: '^(packages/(?!bpmn/|model/|feel/)|examples/)' },
    },
    {
      name: 'interpreter-knows-model',
      comment: 'the interpreter walks graphs of the model, whatever compiled them; its specs compile theirs from BPMN',
      severity: 'error',
      from: { path: '^packages/interpreter/', pathNot: specs },
      to: { path: '^(packages/(?!interpreter/|model/)|examples/)' },
    },
    {
      name: 'core-knows-what-it-is-made-of',
      comment: 'core imports model, bpmn and interpreter, and none of the other packages',
      severity: 'error',
      from: { path: '^packages/core/', pathNot: specs },
      to: { path: '^(packages/(?!core/|model/|bpmn/|interpreter/)|examples/)' },
    },
    {
      name: 'contract-knows-model',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: '^(packages/(?!contract/|model/)|examples/)' },
    },
    {
      name: 'plugins-know-core-and-contract',
      comment:
        'a plugin imports core/plugin, core/ports, model and contract, the storage on PostgreSQL also embedded-postgres: never another plugin, never the server',
      severity: 'error',
      from: { path: '^packages/plugins/([^/]+)/', pathNot: '^packages/plugins/engine-' },
      to: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/plugins/$1/', '^packages/(core|model|contract|embedded-postgres)/'],
      },
    },
    {
      name: 'engines-know-interpreter-and-bpmn',
      comment: 'an engine also imports the interpreter and the compilers',
      severity: 'error',
      from: { path: '^packages/plugins/(engine-[^/]+)/' },
      to: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/plugins/$1/', '^packages/(core|model|bpmn|interpreter|contract)/'],
      },
    },
    {
      name: 'plugins-enter-core-by-the-door',
      severity: 'error',
      from: { path: '^packages/plugins/', pathNot: specs },
      to: { path: '^packages/core/', pathNot: '^packages/core/(src|dist)/(plugin|ports)\\.' },
    },
    {
      name: 'only-bin-knows-the-default-plugins',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['^packages/server/src/bin/', specs] },
      to: { path: '^packages/(plugins|testing)/' },
    },
    {
      name: 'inbox-ui-knows-the-contract',
      comment:
        'what web UI and desktop client share imports contract, and how bpmn reads files, and only these two import it',
      severity: 'error',
      from: { path: '^packages/inbox-ui/', pathNot: specs },
      to: { path: '^(packages|examples)/', pathNot: '^packages/(inbox-ui|contract|bpmn/(src|dist)/reader)/' },
    },
    {
      name: 'inbox-ui-is-for-user-interfaces',
      severity: 'error',
      from: { pathNot: '^packages/(inbox-ui|web|desktop)/' },
      to: { path: '^packages/inbox-ui/' },
    },
    {
      name: 'web-knows-inbox-ui-and-the-contract',
      comment: 'the web UI imports inbox-ui and contract alone',
      severity: 'error',
      from: { path: '^packages/web/', pathNot: specs },
      to: { path: '^(packages|examples)/', pathNot: '^packages/(web|inbox-ui|contract)/' },
    },
    {
      name: 'web-is-built-not-imported',
      comment: 'nobody imports the web UI, the desktop client neither: the server serves what was built of it',
      severity: 'error',
      from: { pathNot: '^packages/web/' },
      to: { path: '^packages/web/(src|dist)/' },
    },
    {
      name: 'desktop-knows-contract-and-inbox-ui',
      comment: 'the desktop client imports contract, its renderer also the index of inbox-ui',
      severity: 'error',
      from: { path: '^packages/desktop/', pathNot: specs },
      to: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/(desktop|contract)/', '^packages/inbox-ui/(src|dist)/index\\.'],
      },
    },
    {
      name: 'desktop-main-shows-nothing',
      comment:
        'main process and preload import what both sides share and each their own room: no renderer, no inbox-ui',
      severity: 'error',
      from: { path: '^packages/desktop/src/(main|preload|common)/', pathNot: specs },
      to: { path: '^packages/(desktop/src/renderer|inbox-ui)/' },
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
      comment: 'the parts of the inbox know no address, no session and no page',
      severity: 'error',
      from: { path: '^packages/inbox-ui/src/inbox/', pathNot: specs },
      to: { path: '^packages/inbox-ui/src/(app|session|approvals)/' },
    },
    {
      name: 'nobody-imports-specs',
      severity: 'error',
      from: {},
      to: { path: '\\.spec\\.ts$' },
    },
    {
      name: 'products-import-no-support-of-specs',
      severity: 'error',
      from: { path: '^(packages|examples)/', pathNot: specs },
      to: { path: specs },
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
