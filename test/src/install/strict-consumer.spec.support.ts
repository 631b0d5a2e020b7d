import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TYPESCRIPT = fileURLToPath(new URL('../../../node_modules/typescript-7/bin/tsc', import.meta.url));

/** Returns the TypeScript compiler errors for a file of a project; empty if the file compiles. */
export async function compileProject(
  project: string,
  file: string,
  source: string,
  { skipLibCheck, lib }: { readonly skipLibCheck: boolean; readonly lib: readonly string[] },
): Promise<string> {
  await writeFile(join(project, file), source);
  const compilerOptions = {
    target: 'ES2023',
    lib,
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    skipLibCheck,
    noEmit: true,
    types: ['node'],
    experimentalDecorators: true,
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  return run(process.execPath, [TYPESCRIPT, '--project', '.'], { cwd: project }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

/** Returns a file that imports and uses everything that the installed packages of the scope export. */
export async function importEveryExport(project: string): Promise<string> {
  const scope = join(project, 'node_modules/@countersign');
  const entries: string[] = [];
  for (const folder of await readdir(scope)) {
    const { name, exports = {} } = JSON.parse(await readFile(join(scope, folder, 'package.json'), 'utf8')) as {
      name: string;
      exports?: object;
    };
    entries.push(...Object.keys(exports).map((entry) => join(name, entry)));
  }
  return entries
    .map((entry, index) => `import * as entry${index} from '${entry}';\nconsole.log(entry${index});\n`)
    .join('');
}

/** Returns the TypeScript examples in the READMEs of the installed packages, each as a separate source. */
export async function readReadmeExamples(
  project: string,
): Promise<readonly { readonly name: string; readonly source: string }[]> {
  const scope = join(project, 'node_modules/@countersign');
  const found = await Promise.all(
    (await readdir(scope)).map(async (name) => {
      const readme = await readFile(join(scope, name, 'README.md'), 'utf8');
      return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, source = '']) => ({ name, source }));
    }),
  );
  return found.flat();
}
