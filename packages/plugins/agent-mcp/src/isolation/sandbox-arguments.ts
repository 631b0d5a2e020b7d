import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** What a program in a namespace of its own may see and do beyond the system's programs and libraries. */
export interface SandboxView {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly network: boolean;
}

/** What must not be seen, though it lies below a path that is. Absolute paths. */
export interface HiddenPlaces {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

/** Programs and libraries of the system, by the Filesystem Hierarchy Standard and of NixOS. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];
/** What programs need of /etc to find hosts, users, libraries, time zones and certificates. The rest may hold secrets. */
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
  /** Where it really lies. */
  readonly source: string;
  readonly isWritable: boolean;
}

/**
 * The arguments of bubblewrap (`bwrap(1)`) in front of a program and its arguments: namespaces of its own for users,
 * processes, mounts, IPC and host name, no capabilities, a /proc of these processes alone, and of the file system nothing
 * but what is listed.
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

/** Paths below which a program in the sandbox would see something that must be hidden. */
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
  // Shallow ones first, so that none covers another; where a path is both, it is writable.
  return [...[...own, ...readPaths].map(bind(false)), ...writePaths.map(bind(true))].sort(
    (a, b) => a.path.length - b.path.length || Number(a.isWritable) - Number(b.isWritable),
  );
}

/** The paths at which something is seen, given what is bound where. */
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

/** Without links, as far as there is something. */
function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realPath(parent), relative(parent, absolute));
  }
}
