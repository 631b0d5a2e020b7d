// Writes docs/api: what each entry point of the packages that others build on offers. It reads the declarations that the
// build made. With --check it writes nothing and fails where a report is not what it would write.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));

const PACKAGES = ['packages/model', 'packages/bpmn', 'packages/interpreter', 'packages/core'];

/** Entry points by their names. Those of tests are no promise. */
const entries = new Map(
  (await Promise.all(PACKAGES.map(entriesOf))).flat().filter(([name]) => !name.endsWith('/testing')),
);

const program = ts.createProgram(
  [...entries.values()].map(({ declarations }) => declarations),
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

const exportsOfEntries = new Map([...entries].map(([name, { declarations }]) => [name, exportsOf(declarations)]));
const reports = await Promise.all(
  [...entries.keys()].map(async (name) => [
    `docs/api/${name.replace('@countersign/', '').replaceAll('/', '-')}.md`,
    await report(name),
  ]),
);

if (process.argv.includes('--check')) await check();
else await write();

/** The entry points in the `exports` of a package. `src/X.ts` is built into `dist/X.d.ts`. */
async function entriesOf(folder) {
  const { name, exports } = JSON.parse(await readFile(`${root}${folder}/package.json`, 'utf8'));
  return Object.entries(exports).map(([path, { types }]) => {
    const source = `${root}${folder}/${types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts')}`;
    return [`${name}${path.slice(1)}`, { folder, source, declarations: `${root}${folder}/${types.slice(2)}` }];
  });
}

async function report(name) {
  const { folder, source } = entries.get(name);
  const exported = exportsOfEntries.get(name);
  const groups = groupsOf(await readFile(source, 'utf8'));
  const grouped = new Set(groups.flatMap(({ names }) => names));
  const ungrouped = [...exported.keys()].filter((each) => !grouped.has(each));
  // What the index of a package passes on is shown where it comes from.
  const others = [...entries.keys()].filter((other) => other.startsWith(`${name}/`));
  const passedOn = others
    .map((other) => [other, ungrouped.filter((each) => exportsOfEntries.get(other).get(each) === exported.get(each))])
    .filter(([, names]) => names.length > 0);
  const own = ungrouped.filter((each) => passedOn.every(([, names]) => !names.includes(each)));
  const hidden = hiddenTypes(folder, exported, others);
  const parts = [
    `# ${name}`,
    '<!-- Written by `npm run docs` from the code. Do not edit. -->',
    `${exported.size} names.`,
    ...groups.flatMap(({ title, why, names }) => [`## ${title}`, why, listing(names, folder, exported)]),
    ...passedOn.map(([other, names]) => `Also in \`${other}\`: ${sortedCodes(names)}.`),
    ...(own.length === 0
      ? []
      : [...(groups.length === 0 ? [] : ['## Everything else']), listing(own, folder, exported)]),
    ...(hidden.size === 0
      ? []
      : ['## Not exported', 'What the declarations above mention.', listing([...hidden.keys()], folder, hidden)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sortedCodes(names) {
  return [...names]
    .sort()
    .map((each) => `\`${each}\``)
    .join(', ');
}

/** Declared symbols by the names under which a module exports them. */
function exportsOf(file) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, aimOf(symbol)]));
}

function aimOf(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Exports below a comment such as `// Jobs: what service tasks do.`, up to the next one. */
function groupsOf(source) {
  const file = ts.createSourceFile('module.ts', source, ts.ScriptTarget.ES2023);
  const groups = [];
  for (const statement of file.statements) {
    const comments = (ts.getLeadingCommentRanges(source, statement.pos) ?? [])
      .map(({ pos, end }) => source.slice(pos, end))
      .filter((text) => text.startsWith('//'));
    const [, title, why] = /^(.+?): (.+)$/.exec(comments.map((text) => text.replace(/^\/\/ ?/, '')).join(' ')) ?? [];
    if (title !== undefined) groups.push({ title, why: why[0].toUpperCase() + why.slice(1), names: [] });
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

function listing(names, folder, symbols) {
  const namesByOwner = new Map();
  const texts = [];
  for (const name of [...names].sort()) {
    const { declarations = [] } = symbols.get(name);
    const owner = ownerOf(declarations[0]);
    if (owner === folder) texts.push(declarations.map(textOf).join('\n'));
    else namesByOwner.set(owner, [...(namesByOwner.get(owner) ?? []), name]);
  }
  const imported = [...namesByOwner].map(
    ([owner, ofOwner]) =>
      `From ${owner === undefined ? 'other packages' : `\`@countersign/${owner.split('/').at(-1)}\``}: ${sortedCodes(ofOwner)}.`,
  );
  return [...imported, ...(texts.length === 0 ? [] : [['```ts', texts.join('\n\n'), '```'].join('\n')])].join('\n\n');
}

/** The folder of the package that a declaration stands in; `undefined` where it is none of ours. */
function ownerOf(declaration) {
  const file = declaration?.getSourceFile().fileName ?? '';
  return file.includes('/node_modules/') || !file.startsWith(root)
    ? undefined
    : /^packages\/(?:plugins\/)?[^/]+/.exec(file.slice(root.length))?.[0];
}

function textOf(declaration) {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return printer
    .printNode(
      ts.EmitHint.Unspecified,
      ts.isClassDeclaration(node) ? withoutPrivates(node) : node,
      node.getSourceFile(),
    )
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replace(/^default /, '');
}

function withoutPrivates(node) {
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

/** Types of the same package that exported declarations mention, and that are not exported themselves. */
function hiddenTypes(folder, exported, others) {
  const documentedByOthers = new Set(others.flatMap((other) => [...exportsOfEntries.get(other).values()]));
  const known = new Set([...exported.values(), ...documentedByOthers]);
  const hidden = new Map();
  const visit = (node) => {
    if (ts.isClassElement(node) && isPrivate(node)) return;
    if (ts.isIdentifier(node)) {
      const found = checker.getSymbolAtLocation(node);
      const symbol = found === undefined ? undefined : aimOf(found);
      const [declaration] = symbol?.declarations ?? [];
      if (
        declaration !== undefined &&
        !known.has(symbol) &&
        topOf(declaration).parent?.kind === ts.SyntaxKind.SourceFile &&
        ownerOf(declaration) === folder
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
    for (const declaration of symbol.declarations ?? []) if (ownerOf(declaration) === folder) visit(declaration);
  }
  return hidden;
}

function topOf(declaration) {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

async function write() {
  await mkdir(`${root}docs/api`, { recursive: true });
  for (const [path, text] of reports) await writeFile(`${root}${path}`, text);
}

async function check() {
  const stale = [];
  for (const [path, text] of reports) {
    const there = await readFile(`${root}${path}`, 'utf8').catch(() => undefined);
    // A checkout on Windows may have other line ends.
    if (there?.replaceAll('\r\n', '\n') !== text) stale.push(path);
  }
  if (stale.length === 0) return;
  process.stderr.write(
    `The API changed: ${stale.join(', ')}. Run \`npm run docs\`, look at what changed, and commit it.\n`,
  );
  process.exitCode = 1;
}
