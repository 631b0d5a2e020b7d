// Fails where files import each other in a circle over more than three files, or over more than one folder. Imports of types
// count, too: they cost nothing at run time, but whoever reads one of the files has to read them all.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const MAX_FILES = 3;
const root = fileURLToPath(new URL('../', import.meta.url));
const listed = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', '*.ts', '*.tsx'],
  { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
);
const files = new Set(
  listed
    .split('\n')
    .filter((file) => /^(packages|examples|test|bench)\//.test(file) && ts.sys.fileExists(`${root}${file}`)),
);
const imports = new Map([...files].map((file) => [file, importsOf(file)]));

const bad = knots()
  .flatMap((knot) => circlesIn(new Set(knot)))
  .filter((circle) => circle.length > MAX_FILES || new Set(circle.map((file) => posix.dirname(file))).size > 1);
if (bad.length > 0) {
  for (const circle of bad.slice(0, 20)) process.stderr.write(`${[...circle, circle[0]].join('\n  -> ')}\n\n`);
  process.stderr.write(
    `Import circles over more than ${MAX_FILES} files or more than one folder: ${bad.length}. Move what both sides need, often a type, into a file of its own.\n`,
  );
  process.exitCode = 1;
}

function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(`${root}${file}`, 'utf8'), true, true);
  return importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return [];
    const path = posix.join(posix.dirname(file), fileName).replace(/\.jsx?$/, '');
    return [`${path}.ts`, `${path}.tsx`].filter((each) => files.has(each));
  });
}

/** Files that reach each other by imports (Tarjan's strongly connected components), where there is more than one. */
function knots() {
  const found = [];
  const order = new Map();
  const lowest = new Map();
  const path = [];
  for (const file of files) if (!order.has(file)) visit(file);
  return found;

  function visit(file) {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    path.push(file);
    for (const next of imports.get(file)) {
      if (!order.has(next)) visit(next);
      if (path.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const knot = path.splice(path.indexOf(file));
    if (knot.length > 1) found.push(knot);
  }
}

/** Each circle once, beginning with the file that comes first by name. */
function circlesIn(knot) {
  const circles = [];
  for (const first of [...knot].sort()) {
    follow([first]);
    knot.delete(first);
  }
  return circles;

  function follow(circle) {
    for (const next of imports.get(circle.at(-1))) {
      if (next === circle[0]) circles.push(circle);
      else if (knot.has(next) && !circle.includes(next)) follow([...circle, next]);
    }
  }
}
