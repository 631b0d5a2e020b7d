import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** What a program can access in a separate namespace, in addition to system programs and libraries. */
export interface SandboxView {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly network: boolean;
}

/** Absolute paths that must be hidden even if they are below a visible path. */
export interface HiddenPaths {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

/** System programs and libraries, according to the Filesystem Hierarchy Standard and on NixOS. */
const SYSTEM_PATHS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];
/**
 * Files in /etc that programs need to find hosts, users, libraries, time zones and certificates. Other files may
 * contain secrets.
 */
const SYSTEM_CONFIG_PATHS = [
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

interface BindMount {
  readonly path: string;
  /** The path without symbolic links. */
  readonly source: string;
  readonly isWritable: boolean;
}

/**
 * Returns the arguments of bubblewrap (`bwrap(1)`) before a program and its arguments: separate namespaces for users,
 * processes, mounts, IPC and host name, and for the network unless it is allowed; no capabilities; a /proc with only
 * the processes of the sandbox; and only the listed part of the file system.
 */
export function buildSandboxArguments(view: SandboxView, hidden: HiddenPaths): string[] {
  const binds = listBinds(view);
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
    ...[...SYSTEM_PATHS, ...SYSTEM_CONFIG_PATHS].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp'],
    ...binds.flatMap(({ path, source, isWritable }) => [isWritable ? '--bind' : '--ro-bind', source, path]),
    ...hidden.directories.flatMap((directory) =>
      findVisiblePaths(directory, binds).flatMap((path) => ['--tmpfs', path]),
    ),
    ...hidden.files.flatMap((file) =>
      findVisiblePaths(file, binds).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ),
    ...['--remount-ro', '/', '--chdir', view.cwd ?? '/tmp', '--'],
  ];
}

/** Returns the paths at which a program in the sandbox would see a path that must be hidden. */
export function findSandboxPaths(view: SandboxView, hiddenPath: string): string[] {
  return findVisiblePaths(hiddenPath, listBinds(view));
}

function listBinds({ command, cwd, readPaths, writePaths }: SandboxView): BindMount[] {
  const toBind =
    (isWritable: boolean) =>
    (path: string): BindMount => ({ path: resolve(path), source: realPath(path), isWritable });
  const ownPaths = [...(isAbsolute(command) ? [command] : []), ...(cwd === undefined ? [] : [cwd])].filter(
    (path) => !isSystemPath(realPath(path)),
  );
  // Shorter paths first, so that none covers another; a path in both lists is writable.
  return [...[...ownPaths, ...readPaths].map(toBind(false)), ...writePaths.map(toBind(true))].sort(
    (a, b) => a.path.length - b.path.length || Number(a.isWritable) - Number(b.isWritable),
  );
}

/** Returns the paths at which a path is visible in the sandbox, given its bind mounts. */
function findVisiblePaths(hiddenPath: string, binds: readonly BindMount[]): string[] {
  const resolvedPath = realPath(hiddenPath);
  const visiblePaths = [...SYSTEM_PATHS.map((path) => ({ path, source: realPath(path) })), ...binds].flatMap(
    ({ path, source }) => (contains(source, resolvedPath) ? [join(path, relative(source, resolvedPath))] : []),
  );
  return [...new Set(visiblePaths)];
}

function isSystemPath(path: string): boolean {
  return SYSTEM_PATHS.some((system) => contains(system, path));
}

function contains(directory: string, path: string): boolean {
  const relativePath = relative(directory, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
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
