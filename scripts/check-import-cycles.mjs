// Fails if an import cycle has more than three files or spans more than one folder. Type imports count too: they cost
// nothing at run time, but a reader of one file must read all files of the cycle.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const MAX_FILES = 3;
const root = fileURLToPath(new URL('../', import.meta.url));
const gitOutput = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', '*.ts', '*.tsx'],
  { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
);
const files = new Set(
  gitOutput
    .split('\n')
    .filter((file) => /^(packages|examples|test|bench)\//.test(file) && ts.sys.fileExists(`${root}${file}`)),
);
const imports = new Map([...files].map((file) => [file, readImports(file)]));

const refusedCycles = findComponents()
  .flatMap((component) => findCycles(new Set(component)))
  .filter((cycle) => cycle.length > MAX_FILES || new Set(cycle.map((file) => posix.dirname(file))).size > 1);
if (refusedCycles.length > 0) {
  for (const cycle of refusedCycles.slice(0, 20)) process.stderr.write(`${[...cycle, cycle[0]].join('\n  -> ')}\n\n`);
  process.stderr.write(
    `Found ${refusedCycles.length} import cycles with more than ${MAX_FILES} files or more than one folder. Move the shared declarations, often a type, to a separate file.\n`,
  );
  process.exitCode = 1;
}

function readImports(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(`${root}${file}`, 'utf8'), true, true);
  return importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return [];
    const path = posix.join(posix.dirname(file), fileName).replace(/\.jsx?$/, '');
    return [`${path}.ts`, `${path}.tsx`].filter((candidate) => files.has(candidate));
  });
}

/**
 * Returns the sets of two or more files that import each other, directly or indirectly (Tarjan's strongly connected
 * components).
 */
function findComponents() {
  const components = [];
  const indexes = new Map();
  const lowLinks = new Map();
  const stack = [];
  for (const file of files) if (!indexes.has(file)) visit(file);
  return components;

  function visit(file) {
    indexes.set(file, indexes.size);
    lowLinks.set(file, indexes.get(file));
    stack.push(file);
    for (const next of imports.get(file)) {
      if (!indexes.has(next)) visit(next);
      if (stack.includes(next)) lowLinks.set(file, Math.min(lowLinks.get(file), lowLinks.get(next)));
    }
    if (lowLinks.get(file) !== indexes.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) components.push(component);
  }
}

/** Returns each cycle of a component once, starting with the file whose name sorts first. */
function findCycles(component) {
  const cycles = [];
  for (const first of [...component].sort()) {
    extend([first]);
    component.delete(first);
  }
  return cycles;

  function extend(cycle) {
    for (const next of imports.get(cycle.at(-1))) {
      if (next === cycle[0]) cycles.push(cycle);
      else if (component.has(next) && !cycle.includes(next)) extend([...cycle, next]);
    }
  }
}
