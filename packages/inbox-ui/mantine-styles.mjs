import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ID = 'virtual:mantine-styles';
const require = createRequire(import.meta.url);
const allStylesFile = require.resolve('@mantine/core/styles.css');
const library = dirname(allStylesFile);
const styles = join(library, 'styles');
/** Styles that belong to no component. */
const GENERAL = ['default-css-variables', 'baseline', 'global'];

/**
 * Vite plugin that provides `virtual:mantine-styles`: the styles of the Mantine components that the sources use. The
 * styles of all components would be half as large again.
 *
 * @param sources folders with the sources; those of this package are always included
 */
export function mantineStyles(...sources) {
  const folders = [
    fileURLToPath(new URL('./src', import.meta.url)),
    ...sources,
    dirname(require.resolve('@rjsf/mantine')),
    join(dirname(require.resolve('@mantine/dates/styles.css')), 'esm'),
    join(dirname(require.resolve('@mantine/notifications/styles.css')), 'esm'),
  ];
  return {
    name: 'mantine-styles',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) =>
      id === `\0${ID}`
        ? [...GENERAL, ...listStyles(folders)].map((name) => `import '@mantine/core/styles/${name}.css';`).join('\n')
        : undefined,
  };
}

/** Returns the names of the style files of all components that the sources import, in Mantine's order. */
function listStyles(folders) {
  const index = join(library, 'esm', 'index.mjs');
  const fileByExport = new Map(listImports(index).flatMap(({ names, file }) => names.map((name) => [name, file])));
  const visited = new Set();
  const visit = (file) => {
    if (file === undefined || visited.has(file)) return;
    visited.add(file);
    for (const { file: imported } of listImports(file)) visit(imported);
  };
  for (const folder of folders) for (const name of listImportedNames(folder)) visit(fileByExport.get(name));
  const allStyles = readFileSync(allStylesFile, 'utf8');
  const findPosition = (name) => {
    const position = allStyles.indexOf(readFileSync(join(styles, `${name}.css`), 'utf8').slice(0, 60));
    if (position < 0) throw new Error(`The position of the styles of ${name} is unknown.`);
    return position;
  };
  return [...visited]
    .map((file) => basename(file, '.mjs'))
    .filter((name) => existsSync(join(styles, `${name}.css`)))
    .sort((one, other) => findPosition(one) - findPosition(other));
}

/** Returns what a module of Mantine imports from other modules of Mantine. */
function listImports(file) {
  return [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from "(\.[^"]+\.mjs)"/g)].map(
    ([, names, path]) => ({
      names: names.split(',').map((name) => name.split(' as ')[0].trim()),
      file: join(dirname(file), path),
    }),
  );
}

/** Returns the names that the files of a folder import from Mantine. */
function listImportedNames(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx|ts|mjs|js)$/.test(entry.name) && !/\.spec\./.test(entry.name))
    .flatMap((entry) => {
      const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8');
      return [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*['"]@mantine\/core['"]/g)].flatMap(([, names]) =>
        names.split(',').map((name) =>
          name
            .replace(/^\s*type /, '')
            .split(' as ')[0]
            .trim(),
        ),
      );
    });
}
