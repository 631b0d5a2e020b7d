// Writes docs/api: a report of the exports of each public entry point. Reads the declarations in the build output. With
// --check it writes nothing, and fails if a report is out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));

const PACKAGES = ['packages/model', 'packages/bpmn', 'packages/interpreter', 'packages/core', 'packages/engine'];

/** Entry points by name. The test helpers are not part of the public API. */
const entryPoints = new Map(
  (await Promise.all(PACKAGES.map(readEntryPoints))).flat().filter(([name]) => !name.endsWith('/testing')),
);

const program = ts.createProgram(
  [...entryPoints.values()].map(({ declarations }) => declarations),
  {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    noLib: true,
    types: [],
  },
);
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

const exportsByEntryPoint = new Map(
  [...entryPoints].map(([name, { declarations }]) => [name, getExports(declarations)]),
);
const reports = await Promise.all(
  [...entryPoints.keys()].map(async (name) => [
    `docs/api/${name.replace('@countersign/', '').replaceAll('/', '-')}.md`,
    await renderReport(name),
  ]),
);

if (process.argv.includes('--check')) await checkReports();
else await writeReports();

/** Reads the entry points from the `exports` of a package. `src/X.ts` is built into `dist/X.d.ts`. */
async function readEntryPoints(folder) {
  const { name, exports } = JSON.parse(await readFile(`${root}${folder}/package.json`, 'utf8'));
  return Object.entries(exports).map(([path, { types }]) => {
    const source = `${root}${folder}/${types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts')}`;
    return [`${name}${path.slice(1)}`, { folder, source, declarations: `${root}${folder}/${types.slice(2)}` }];
  });
}

async function renderReport(name) {
  const { folder, source } = entryPoints.get(name);
  const exported = exportsByEntryPoint.get(name);
  const groups = parseGroups(await readFile(source, 'utf8'));
  const grouped = new Set(groups.flatMap(({ names }) => names));
  const ungrouped = [...exported.keys()].filter((each) => !grouped.has(each));
  // The report of a package index only names the exports that come from another entry point of the package.
  const otherEntryPoints = [...entryPoints.keys()].filter((other) => other.startsWith(`${name}/`));
  const reexports = otherEntryPoints
    .map((other) => [
      other,
      ungrouped.filter((each) => exportsByEntryPoint.get(other).get(each) === exported.get(each)),
    ])
    .filter(([, names]) => names.length > 0);
  const ownNames = ungrouped.filter((each) => reexports.every(([, names]) => !names.includes(each)));
  const hidden = findHiddenTypes(folder, exported, otherEntryPoints);
  const parts = [
    `# ${name}`,
    '<!-- Written by `npm run docs` from the code. Do not edit. -->',
    `${exported.size} names.`,
    ...groups.flatMap(({ title, description, names }) => [
      `## ${title}`,
      description,
      renderListing(names, folder, exported),
    ]),
    ...reexports.map(([other, names]) => `Also in \`${other}\`: ${formatNames(names)}.`),
    ...(ownNames.length === 0
      ? []
      : [...(groups.length === 0 ? [] : ['## Everything else']), renderListing(ownNames, folder, exported)]),
    ...(hidden.size === 0
      ? []
      : ['## Not exported', 'What the declarations above mention.', renderListing([...hidden.keys()], folder, hidden)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function formatNames(names) {
  return [...names]
    .sort()
    .map((each) => `\`${each}\``)
    .join(', ');
}

/** Returns the declared symbols of a module, by export name. */
function getExports(file) {
  const moduleSymbol = checker.getSymbolAtLocation(program.getSourceFile(file));
  return new Map(checker.getExportsOfModule(moduleSymbol).map((symbol) => [symbol.name, resolveAlias(symbol)]));
}

function resolveAlias(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Returns the groups of exports. A comment such as `// Jobs: handlers for service tasks.` starts a group. */
function parseGroups(source) {
  const file = ts.createSourceFile('module.ts', source, ts.ScriptTarget.ES2023);
  const groups = [];
  for (const statement of file.statements) {
    const comments = (ts.getLeadingCommentRanges(source, statement.pos) ?? [])
      .map(({ pos, end }) => source.slice(pos, end))
      .filter((text) => text.startsWith('//'));
    const [, title, description] =
      /^(.+?): (.+)$/.exec(comments.map((text) => text.replace(/^\/\/ ?/, '')).join(' ')) ?? [];
    if (title !== undefined)
      groups.push({ title, description: description[0].toUpperCase() + description.slice(1), names: [] });
    if (
      groups.length > 0 &&
      ts.isExportDeclaration(statement) &&
      statement.exportClause !== undefined &&
      ts.isNamedExports(statement.exportClause)
    ) {
      groups.at(-1).names.push(...statement.exportClause.elements.map(({ name }) => name.text));
    }
  }
  return groups;
}

function renderListing(names, folder, symbols) {
  const namesByOwner = new Map();
  const declarationTexts = [];
  for (const name of [...names].sort()) {
    const { declarations = [] } = symbols.get(name);
    const owner = findPackageFolder(declarations[0]);
    if (owner === folder) declarationTexts.push(declarations.map(printDeclaration).join('\n'));
    else namesByOwner.set(owner, [...(namesByOwner.get(owner) ?? []), name]);
  }
  const imported = [...namesByOwner].map(
    ([owner, ownedNames]) =>
      `From ${owner === undefined ? 'other packages' : `\`@countersign/${owner.split('/').at(-1)}\``}: ${formatNames(ownedNames)}.`,
  );
  return [
    ...imported,
    ...(declarationTexts.length === 0 ? [] : [['```ts', declarationTexts.join('\n\n'), '```'].join('\n')]),
  ].join('\n\n');
}

/** Returns the folder of the package that contains a declaration, or `undefined` for an external package. */
function findPackageFolder(declaration) {
  const file = declaration?.getSourceFile().fileName ?? '';
  return file.includes('/node_modules/') || !file.startsWith(root)
    ? undefined
    : /^packages\/(?:plugins\/)?[^/]+/.exec(file.slice(root.length))?.[0];
}

function printDeclaration(declaration) {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return printer
    .printNode(
      ts.EmitHint.Unspecified,
      ts.isClassDeclaration(node) ? removePrivateMembers(node) : node,
      node.getSourceFile(),
    )
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replace(/^default /, '');
}

function removePrivateMembers(node) {
  return ts.factory.updateClassDeclaration(
    node,
    node.modifiers,
    node.name,
    node.typeParameters,
    node.heritageClauses,
    node.members.filter((member) => !isPrivate(member)),
  );
}

function isPrivate(member) {
  return (
    (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0 ||
    (member.name !== undefined && ts.isPrivateIdentifier(member.name))
  );
}

/** Returns types of the package that exported declarations mention, but that are not exported. */
function findHiddenTypes(folder, exported, otherEntryPoints) {
  const documentedByOthers = new Set(otherEntryPoints.flatMap((other) => [...exportsByEntryPoint.get(other).values()]));
  const known = new Set([...exported.values(), ...documentedByOthers]);
  const hidden = new Map();
  const visit = (node) => {
    if (ts.isClassElement(node) && isPrivate(node)) return;
    if (ts.isIdentifier(node)) {
      const localSymbol = checker.getSymbolAtLocation(node);
      const symbol = localSymbol === undefined ? undefined : resolveAlias(localSymbol);
      const [declaration] = symbol?.declarations ?? [];
      if (
        declaration !== undefined &&
        !known.has(symbol) &&
        getTopLevelNode(declaration).parent?.kind === ts.SyntaxKind.SourceFile &&
        findPackageFolder(declaration) === folder
      ) {
        known.add(symbol);
        hidden.set(symbol.name, symbol);
        symbol.declarations.forEach(visit);
      }
    }
    node.forEachChild(visit);
  };
  for (const symbol of exported.values()) {
    if (documentedByOthers.has(symbol)) continue;
    for (const declaration of symbol.declarations ?? [])
      if (findPackageFolder(declaration) === folder) visit(declaration);
  }
  return hidden;
}

function getTopLevelNode(declaration) {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

async function writeReports() {
  await mkdir(`${root}docs/api`, { recursive: true });
  for (const [path, text] of reports) await writeFile(`${root}${path}`, text);
}

async function checkReports() {
  const stale = [];
  for (const [path, text] of reports) {
    const existing = await readFile(`${root}${path}`, 'utf8').catch(() => undefined);
    // A checkout on Windows may have other line endings.
    if (existing?.replaceAll('\r\n', '\n') !== text) stale.push(path);
  }
  if (stale.length === 0) return;
  process.stderr.write(
    `These API reports are out of date: ${stale.join(', ')}. Run \`npm run docs\`, review the changes, and commit them.\n`,
  );
  process.exitCode = 1;
}
