#!/usr/bin/env node
// Replaces fpm on machines that lack it (`CUSTOM_FPM_PATH`): builds a .deb with dpkg-deb. Accepts only the options that
// electron-builder passes to fpm for a .deb, and refuses all others.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const singleValue = { type: 'string' };
const multipleValues = { type: 'string', multiple: true };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    's': { ...singleValue, short: 's' },
    't': { ...singleValue, short: 't' },
    'd': { ...multipleValues, short: 'd' },
    'force': { type: 'boolean' },
    'debug': { type: 'boolean' },
    'log': singleValue,
    'vendor': singleValue,
    'license': singleValue,
    'iteration': singleValue,
    'architecture': singleValue,
    'after-install': singleValue,
    'after-remove': singleValue,
    'description': singleValue,
    'version': singleValue,
    'package': singleValue,
    'name': singleValue,
    'maintainer': singleValue,
    'url': singleValue,
    'category': singleValue,
    'deb-priority': singleValue,
    'deb-recommends': multipleValues,
    'deb-compression': singleValue,
  },
});
if (values.s !== 'dir' || values.t !== 'deb')
  throw new TypeError('The options -s dir and -t deb are required: this program only builds a .deb from a directory.');

const root = mkdtempSync(join(tmpdir(), 'countersign-deb-'));
try {
  for (const mapping of positionals) {
    const [from, to] = mapping.split('=');
    if (to === undefined || !to.startsWith('/'))
      throw new TypeError(`The argument ${mapping} has no absolute target path. Write SOURCE=/TARGET.`);
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(from, join(root, to), { recursive: true, verbatimSymlinks: true });
  }
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) makeReadable(join(root, path));
  const control = join(root, 'DEBIAN');
  mkdirSync(control);
  writeFileSync(join(control, 'control'), buildControlFile());
  addScript('after-install', 'postinst');
  addScript('after-remove', 'postrm');
  chmodSync(root, 0o755);
  execFileSync(
    'dpkg-deb',
    [
      '--root-owner-group',
      ...(values['deb-compression'] === 'gz' ? ['-Zgzip', '-z1'] : [`-Z${values['deb-compression'] ?? 'xz'}`]),
      '--build',
      root,
      values.package,
    ],
    { stdio: 'inherit' },
  );

  function addScript(option, name) {
    if (values[option] === undefined) return;
    copyFileSync(values[option], join(control, name));
    chmodSync(join(control, name), 0o755);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Makes a file readable for all users, independent of the umask of the current user. */
function makeReadable(path) {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
}

function buildControlFile() {
  const size = readdirSync(root, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, path) => sum + (lstatSync(join(root, path)).isFile() ? statSync(join(root, path)).size : 0),
    0,
  );
  // The continuation lines of a description start with a space.
  const [synopsis = '', ...continuationLines] = (values.description ?? '').split('\n');
  const fields = {
    'Package': values.name,
    'Version': values.iteration === undefined ? values.version : `${values.version}-${values.iteration}`,
    'Architecture': values.architecture,
    'Maintainer': values.maintainer,
    'Installed-Size': String(Math.ceil(size / 1024)),
    'Depends': values.d?.join(', '),
    'Recommends': values['deb-recommends']?.join(', '),
    'Section': values.category ?? 'default',
    'Priority': values['deb-priority'] ?? 'optional',
    'Homepage': values.url,
    'Description': [synopsis, ...continuationLines.map((line) => ` ${line.trim() === '' ? '.' : line.trim()}`)].join(
      '\n',
    ),
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
