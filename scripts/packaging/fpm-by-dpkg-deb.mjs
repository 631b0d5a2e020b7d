#!/usr/bin/env node
// Makes a .deb of what electron-builder hands to fpm, by dpkg-deb: for machines that have no fpm (`CUSTOM_FPM_PATH`). It knows
// the options that electron-builder gives for a .deb, and refuses all others.
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

const one = { type: 'string' };
const many = { type: 'string', multiple: true };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    's': { ...one, short: 's' },
    't': { ...one, short: 't' },
    'd': { ...many, short: 'd' },
    'force': { type: 'boolean' },
    'debug': { type: 'boolean' },
    'log': one,
    'vendor': one,
    'license': one,
    'iteration': one,
    'architecture': one,
    'after-install': one,
    'after-remove': one,
    'description': one,
    'version': one,
    'package': one,
    'name': one,
    'maintainer': one,
    'url': one,
    'category': one,
    'deb-priority': one,
    'deb-recommends': many,
    'deb-compression': one,
  },
});
if (values.s !== 'dir' || values.t !== 'deb')
  throw new TypeError('This makes a .deb of a directory, and nothing else.');

const root = mkdtempSync(join(tmpdir(), 'countersign-deb-'));
try {
  for (const each of positionals) {
    const [from, to] = each.split('=');
    if (to === undefined || !to.startsWith('/')) throw new TypeError(`Where to is ${each}?`);
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(from, join(root, to), { recursive: true, verbatimSymlinks: true });
  }
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) readable(join(root, path));
  const control = join(root, 'DEBIAN');
  mkdirSync(control);
  writeFileSync(join(control, 'control'), controlFile());
  script('after-install', 'postinst');
  script('after-remove', 'postrm');
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

  function script(option, name) {
    if (values[option] === undefined) return;
    copyFileSync(values[option], join(control, name));
    chmodSync(join(control, name), 0o755);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** For everybody, whatever the mask of whoever packs it. */
function readable(path) {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
}

function controlFile() {
  const size = readdirSync(root, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, path) => sum + (lstatSync(join(root, path)).isFile() ? statSync(join(root, path)).size : 0),
    0,
  );
  // A description goes on in lines that begin with a space.
  const [synopsis = '', ...more] = (values.description ?? '').split('\n');
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
    'Description': [synopsis, ...more.map((line) => ` ${line.trim() === '' ? '.' : line.trim()}`)].join('\n'),
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
