import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** Licences of the bundled packages, as Vite collects them. */
export const LICENSES_FILE = '.licenses.json';
/** All modules and files in the bundle. */
export const MODULES_FILE = '.modules.json';

/** Vite build options that collect the licences of the bundled packages. */
export const collectLicenses = { license: { fileName: LICENSES_FILE } };

/**
 * Creates a Vite plugin that lists the files in the bundle (modules, style sheets, fonts), by paths relative to the
 * root of the repository. The names of modules that the build tools added start with a NUL character.
 */
export function bundleMetadata() {
  let root = REPOSITORY;
  const toRepositoryPath = (id) => {
    if (id.startsWith('\0')) return id;
    const path = id.replace(/[?#].*$/, '');
    return relative(REPOSITORY, isAbsolute(path) ? path : join(root, path))
      .split(sep)
      .join('/');
  };
  return {
    name: 'bundle-metadata',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds : output.originalFileNames,
      );
      this.emitFile({
        type: 'asset',
        fileName: MODULES_FILE,
        source: JSON.stringify([...new Set(ids.map(toRepositoryPath))].sort(), null, 1),
      });
    },
  };
}
