// Generates pages of docs/ from the code: error codes, run events, configuration, and the JSON Schemas of evidence packs and agent
// files; and what the client must know about each route. With --check it writes nothing, and fails if a file is out of
// date. Reads the output of `npm run build`.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { renderRunEventTypes } from './run-event-docs.mjs';

const root = new URL('../', import.meta.url);
const importBuilt = (path) => import(new URL(path, root).href);

const [
  { ERROR_CODES, buildEvidencePackJsonSchema, problemType, routes },
  { toRouteCall },
  { buildSchemaTree },
  { CoreConfigurationSchema },
  { isEditable },
  { AgentFileSchema },
  { toJsonSchema },
  { RUN_EVENT_DEFINITIONS },
] = await Promise.all([
  importBuilt('packages/contract/dist/index.js'),
  importBuilt('packages/contract/dist/client/route-call.js'),
  importBuilt('packages/core/dist/host/configuration/schema-tree.js'),
  importBuilt('packages/core/dist/index.js'),
  importBuilt('packages/core/dist/host/configuration/is-editable.js'),
  importBuilt('packages/core/dist/application/agents/agent-file.js'),
  importBuilt('packages/core/dist/application/agents/to-agent-tool.js'),
  importBuilt('packages/model/dist/index.js'),
]);
const plugins = [
  (await importBuilt('packages/plugins/storage-postgres/dist/index.js')).storagePostgresPlugin,
  (await importBuilt('packages/plugins/artifacts-filesystem/dist/index.js')).artifactsFilesystemPlugin,
  (await importBuilt('packages/plugins/policy-cedar/dist/index.js')).policyCedarPlugin,
  (await importBuilt('packages/plugins/outbound-http/dist/index.js')).outboundHttpPlugin,
  (await importBuilt('packages/plugins/connector-http/dist/index.js')).connectorHttpPlugin,
  (await importBuilt('packages/plugins/connector-codehost/dist/index.js')).connectorCodehostPlugin,
  (await importBuilt('packages/plugins/connector-notify/dist/index.js')).connectorNotifyPlugin,
  (await importBuilt('packages/plugins/agent-tools/dist/index.js')).agentToolsPlugin,
  (await importBuilt('packages/plugins/agent-mcp/dist/index.js')).agentMcpPlugin,
  (await importBuilt('packages/plugins/model-openai/dist/index.js')).modelOpenaiPlugin,
  (await importBuilt('packages/plugins/model-anthropic/dist/index.js')).modelAnthropicPlugin,
  (await importBuilt('packages/plugins/model-scripted/dist/index.js')).modelScriptedPlugin,
  (await importBuilt('packages/plugins/codehost-webhook/dist/index.js')).codehostWebhookPlugin,
  (await importBuilt('packages/plugins/event-ingress/dist/index.js')).eventIngressPlugin,
  (await importBuilt('packages/plugins/engine-embedded/dist/index.js')).engineEmbeddedPlugin,
];
// Its dependencies are not part of the default installation. Without them, its section of the page stays as it is.
const temporalPlugin = existsSync(new URL('packages/plugins/engine-temporal/dist/index.js', root))
  ? (await importBuilt('packages/plugins/engine-temporal/dist/index.js')).engineTemporalPlugin
  : undefined;
if (temporalPlugin !== undefined) plugins.push(temporalPlugin);

const GENERATED = '<!-- Written by `npm run docs` from the code. Do not edit. -->';

const pages = {
  'docs/error-codes.md': renderErrorCodes(),
  'docs/run-events.md': renderRunEvents(),
  'docs/configuration.md': renderConfiguration(),
  'docs/evidence-pack.schema.json': `${JSON.stringify(buildEvidencePackJsonSchema(), null, 2)}\n`,
  'docs/agent-definition.schema.json': `${JSON.stringify(buildAgentFileSchema(), null, 2)}\n`,
  'packages/contract/src/client/route-calls.ts': await renderRouteCalls(),
};

if (process.argv.includes('--check')) await checkPages();
else await writePages();

function renderErrorCodes() {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, title, retryable, description }]) => ({
    code,
    status,
    title,
    retryable,
    description,
  }));
  const table = rows
    .sort((a, b) => a.status - b.status)
    .map(
      ({ code, status, title, retryable, description }) =>
        `| ${status} | \`${code}\` | ${title} | ${escapeCell(description)} | ${retryable ? 'yes' : 'no'} |`,
    );
  return joinParagraphs(
    '# Error codes',
    GENERATED,
    'Every error of the API is a problem document (RFC 9457, `application/problem+json`). Decide by `code`: it never changes its meaning or its status. ' +
      `\`type\` is \`${problemType('<code>')}\`. \`detail\` is for people and may change. \`retryable\` says whether the same request may succeed later, unchanged. ` +
      'The table is `packages/model/src/error-codes.ts`. ' +
      'Codes of plugins start with the id of the plugin, for example `acme/quota_exceeded`. ' +
      'Errors of the command line and of the startup have other codes; their messages state the remedy.',
    ['| status | code | title | meaning | retryable |', '|---|---|---|---|---|', ...table].join('\n'),
  );
}

function renderRunEvents() {
  return joinParagraphs(
    '# Run events',
    GENERATED,
    'The history of a run consists of run events. `GET /api/runs/{runId}/events`, the event streams and [evidence packs](evidence-packs.md) return them. ' +
      'An event consists of `data` (structure, hashed unchanged) and `private` (people, texts and values, hashed as a salted commitment, so that they can be erased). ' +
      'The API returns both in `data`, and `private.actor` as `actor`; evidence packs return them separately, with `personDigests` in `data` and `personSalts` in `private`.',
    'Recorded events never change. Later versions may add types and members, so ignore those that you do not know. ' +
      'If a member is removed or changes its meaning, the version of the type increases. The API returns the version of each event as `version`; in evidence packs, events of version 2 or later have `data.eventVersion`. ' +
      'Do not read an event whose version you do not know.',
    'A `RecordedActor` is `{type, id, name, userName?, onBehalfOf?}`. A `JsonObject` can have any members. Times are RFC 3339.',
    renderRunEventTypes(RUN_EVENT_DEFINITIONS),
  );
}

async function renderRouteCalls() {
  const path = fileURLToPath(new URL('packages/contract/src/client/route-calls.ts', root));
  const { title, status } = ERROR_CODES.validation_failed;
  const calls = Object.fromEntries(Object.entries(routes).map(([id, route]) => [id, toRouteCall(route)]));
  const text = `import type { RouteCall } from './route-call.js';

/** What the client must know about each route, by operation id. Written by \`npm run docs\` from the routes. Do not edit. */
export const ROUTE_CALLS = Object.freeze(${JSON.stringify(calls)} satisfies Readonly<Record<string, RouteCall>>);

/** The problem that the client reports itself. Written as well, so that clients need not load the table of all errors. */
export const VALIDATION_FAILED = Object.freeze(${JSON.stringify({ title, status })});
`;
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}

function buildAgentFileSchema() {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The definition of an agent',
    ...toJsonSchema(AgentFileSchema),
  };
}

function renderConfiguration() {
  const parts = [
    { owner: 'core', schema: CoreConfigurationSchema },
    ...plugins.flatMap(({ id, config }) => (config === undefined ? [] : [{ owner: id, schema: config }])),
  ];
  const { parts: trees, problems } = buildSchemaTree(parts);
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  const sections = [...trees].map(([owner, tree]) => {
    const rows = [...listValues(tree, [])].map(
      ([key, node]) =>
        `| \`${key}\` | ${escapeCell(describeType(node))} | ${describeDefault(node)} | ${describeChange(node)} | ${escapeCell(node.description ?? '')} |`,
    );
    const title = owner === 'core' ? '## Server and core' : `## Plugin \`${owner}\``;
    return [title, '', '| key | type | default | saved | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
  });
  return joinParagraphs(
    '# Configuration',
    GENERATED,
    'Layers, each over the one before: defaults < file < environment < command line < [saved settings](settings.md). `countersign config explain` prints each value and where it comes from.\n\n' +
      '- **File**: YAML or JSON, `--config FILE`; by default `countersign.config.yaml` in the working directory, if there is one. `Server:Port` is the key `Port` in the section `Server`.\n' +
      '- **Environment**: `Server__Port=9090`; items of a list by number, `Plugins__0=./my-plugin`; `Storage__Postgres__ConnectionString_FILE=/run/secrets/db` reads the value from a file.\n' +
      '- **Command line**: `--port`, `--host`, `--data`, and any key as `--set Server:Port=9090`.\n\n' +
      'An unknown key is an error, with a suggestion. All errors are reported together, and the server does not start. ' +
      'A relative path in a file is relative to the folder of that file; any other relative path is relative to the working directory. ' +
      'Durations are ISO 8601 (`PT5M`). Secrets are never printed.\n\n' +
      'The column "saved" states when a value that an administrator saves while the server runs takes effect: immediately, at the next start, or never, because it cannot be saved (no).',
    ...sections,
    ...(temporalPlugin === undefined ? [readTemporalSection()] : []),
  );
}

function readTemporalSection() {
  const page = readFileSync(new URL('docs/configuration.md', root), 'utf8');
  return page.slice(page.indexOf('## Plugin `engine-temporal`')).trimEnd();
}

function* listValues(node, path) {
  for (const [key, child] of node.children) {
    if (child.kind === 'section') yield* listValues(child, [...path, key]);
    else yield [[...path, key].join(':'), child];
  }
}

function describeType(node) {
  if (node.kind === 'list') return `list of ${describeType(node.item)}`;
  if (node.kind === 'map') return `section with any keys; each value: ${describeType(node.value)}`;
  if (node.kind === 'section')
    return `section of ${[...node.children].map(([key, child]) => `${key} (${describeType(child)})`).join(', ')}`;
  if (node.mark !== undefined) return node.mark;
  const { def } = node.schema._zod;
  if (def.type === 'enum')
    return Object.values(def.entries)
      .map((value) => `\`${value}\``)
      .join(', ');
  if (def.type === 'number') return 'number';
  return def.type === 'string' ? 'text' : def.type;
}

/** Returns when a value takes effect that an administrator saves through the API. */
function describeChange(node) {
  if (isEditable(node)) return node.reloadable ? 'immediately' : 'restart';
  return node.kind === 'map' && isEditable(node.value) ? `each, ${node.reloadable ? 'immediately' : 'restart'}` : 'no';
}

function describeDefault(node) {
  const value = typeof node.defaultValue === 'function' ? node.defaultValue() : node.defaultValue;
  if (node.kind === 'value' && node.mark === 'secret') return 'empty';
  if (value === undefined) return node.optional ? 'not set' : '**needed**';
  if (Array.isArray(value))
    return value.length === 0
      ? 'none'
      : value.map((item) => `\`${typeof item === 'object' ? item[node.itemKey] : item}\``).join(', ');
  if (typeof value === 'object') return 'none';
  return `\`${value}\``;
}

function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function joinParagraphs(...paragraphs) {
  return `${paragraphs.join('\n\n')}\n`;
}

async function writePages() {
  await mkdir(new URL('docs/', root), { recursive: true });
  for (const [path, text] of Object.entries(pages)) await writeFile(new URL(path, root), text);
}

async function checkPages() {
  const stale = [];
  for (const [path, text] of Object.entries(pages)) {
    const existing = await readFile(new URL(path, root), 'utf8').catch(() => undefined);
    // A checkout on Windows may have other line endings.
    if (existing?.replaceAll('\r\n', '\n') !== text) stale.push(path);
  }
  if (stale.length === 0) return;
  process.stderr.write(
    `These pages in ${fileURLToPath(root)} are out of date: ${stale.join(', ')}. Run \`npm run docs\` and commit the changes.\n`,
  );
  process.exitCode = 1;
}
