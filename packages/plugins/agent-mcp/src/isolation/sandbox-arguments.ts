import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The permissions of a program in a separate namespace, in addition to system programs and libraries. */
export interface SandboxView {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly network: boolean;
}

/** Absolute paths that must be hidden although they are below a visible path. */
export interface HiddenPlaces {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

/** System programs and libraries, by the Filesystem Hierarchy Standard and on NixOS. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];
/**
 * Files in /etc that programs need to find hosts, users, libraries, time zones and certificates. Other files may
 * contain secrets.
 */
const SYSTEM_SETTINGS = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'group',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'passwd',
  'pki',
  'protocols',
  'resolv.conf',
  'services',
  'ssl',
  'timezone',
].map((name) => `/etc/${name}`);

interface Bind {
  readonly path: string;
  /** The path without symbolic links. */
  readonly source: string;
  readonly isWritable: boolean;
}

/**
 * Returns the arguments of bubblewrap (`bwrap(1)`) before a program and its arguments: separate namespaces for users,
 * processes, mounts, IPC and host name, no capabilities, a /proc of only these processes, and only the listed part of
 * the file system.
 */
export function sandboxArguments(view: SandboxView, hidden: HiddenPlaces): string[] {
  const binds = bindsOf(view);
  return [
    ...[
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup-try',
      ...(view.network ? [] : ['--unshare-net']),
    ],
    ...['--die-with-parent', '--cap-drop', 'ALL', '--hostname', 'mcp'],
    ...[...SYSTEM, ...SYSTEM_SETTINGS].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp'],
    ...binds.flatMap(({ path, source, isWritable }) => [isWritable ? '--bind' : '--ro-bind', source, path]),
    ...hidden.directories.flatMap((directory) => seenAt(directory, binds).flatMap((path) => ['--tmpfs', path])),
    ...hidden.files.flatMap((file) => seenAt(file, binds).flatMap((path) => ['--ro-bind', '/dev/null', path])),
    ...['--remount-ro', '/', '--chdir', view.cwd ?? '/tmp', '--'],
  ];
}

/** Returns the paths at which a program in the sandbox would see something that must be hidden. */
export function seenInSandbox(view: SandboxView, place: string): string[] {
  return seenAt(place, bindsOf(view));
}

function bindsOf({ command, cwd, readPaths, writePaths }: SandboxView): Bind[] {
  const bind =
    (isWritable: boolean) =>
    (path: string): Bind => ({ path: resolve(path), source: realPath(path), isWritable });
  const own = [...(isAbsolute(command) ? [command] : []), ...(cwd === undefined ? [] : [cwd])].filter(
    (path) => !isSystem(realPath(path)),
  );
  // Shorter paths first, so that none covers another; a path in both lists is writable.
  return [...[...own, ...readPaths].map(bind(false)), ...writePaths.map(bind(true))].sort(
    (a, b) => a.path.length - b.path.length || Number(a.isWritable) - Number(b.isWritable),
  );
}

/** Returns the paths at which a place is visible, given the binds. */
function seenAt(place: string, binds: readonly Bind[]): string[] {
  const real = realPath(place);
  const seen = [...SYSTEM.map((path) => ({ path, source: realPath(path) })), ...binds].flatMap(({ path, source }) =>
    contains(source, real) ? [join(path, relative(source, real))] : [],
  );
  return [...new Set(seen)];
}

function isSystem(path: string): boolean {
  return SYSTEM.some((system) => contains(system, path));
}

function contains(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Resolves symbolic links, as far as the path exists. */
function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realPath(parent), relative(parent, absolute));
  }
}
