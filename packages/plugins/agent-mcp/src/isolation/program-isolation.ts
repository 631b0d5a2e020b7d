import { mkdir, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { CoreConfiguration, LoggerPort, SecretLocations, StartupError } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { McpConfiguration, type IsolationMode, type McpServerConfiguration } from '../configuration.js';
import type { ProgramStart } from '../stdio-transport.js';
import { toSingleLine } from '../escape-hidden-characters.js';
import { findProgram } from './find-program.js';
import { findOwnedPath, probeSecrets, listSecretFiles } from './probe-secrets.js';
import { buildSandboxArguments, findSandboxPaths, type HiddenPaths, type SandboxView } from './sandbox-arguments.js';

/** Default user of programs in a namespace if this server runs as root: `nobody`, on Linux. */
const NOBODY = Object.freeze({ uid: 65_534, gid: 65_534 });

type IsolationMethod = Exclude<IsolationMode, 'auto'>;
type CommandWrapper = (command: string, args: readonly string[]) => ProgramStart;

/** An isolation that has not been probed yet. */
interface IsolationCandidate {
  readonly wrap: CommandWrapper;
  /** Returns the additional paths at which the program would see a file. */
  visiblePaths(file: string): readonly string[];
}

/**
 * Isolates the programs of MCP servers from the secrets of this server, because a process of the same user can read the
 * environment, the memory and the files of this server. Each isolation is tested before it is used.
 */
@injectable()
export class ProgramIsolation {
  /** Command wrappers by the name of the MCP server. */
  readonly #wrappers = new Map<string, CommandWrapper>();

  constructor(
    @inject(McpConfiguration) private readonly configuration: McpConfiguration,
    @inject(SecretLocations) private readonly secretLocations: SecretLocations,
    @inject(CoreConfiguration) private readonly core: CoreConfiguration,
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {}

  /**
   * Chooses an isolation for each program. Call it before {@link getProgramStart}.
   *
   * @throws {StartupError} `mcp_isolation_unavailable` if a program could read secrets and the configuration does not
   * allow that
   */
  async prepare(): Promise<void> {
    for (const server of this.configuration.Servers) {
      if (server.Command !== undefined) this.#wrappers.set(server.Name, await this.chooseWrapper(server));
    }
  }

  /** Returns how to start the program of a server. */
  getProgramStart({ Name, Command = '', Args }: McpServerConfiguration): ProgramStart {
    const wrap = this.#wrappers.get(Name);
    if (wrap === undefined) throw new Error(`The isolation of the program of "${Name}" has not been prepared.`);
    return wrap(Command, Args);
  }

  private async chooseWrapper(server: McpServerConfiguration): Promise<CommandWrapper> {
    const mode = server.Isolation ?? this.configuration.Isolation;
    const reasons: string[] = [];
    for (const method of mode === 'auto' ? (['namespace', 'user'] as const) : [mode]) {
      const wrapper = await this.tryMethod(method, server);
      if (typeof wrapper === 'string') {
        reasons.push(`${method}: ${wrapper}`);
        continue;
      }
      if (method === 'none')
        this.log.warn(
          { mcpServer: server.Name },
          'the program of the MCP server is not isolated: it can read the environment, the memory and the files of this server, including all secrets',
        );
      else
        this.log.info(
          { mcpServer: server.Name, isolation: method },
          'the program of the MCP server is isolated: it cannot read the secrets of this server',
        );
      if (method === 'namespace') await this.warnOfHiddenArguments(server);
      return wrapper;
    }
    // With development tokens, every local program can obtain any role anyway. Isolation would protect only configured
    // secrets.
    if (mode === 'auto' && this.core.Auth.DevToken.Enabled && !this.hasConfiguredSecrets()) {
      this.log.warn(
        { mcpServer: server.Name, reasons },
        'the program of the MCP server is not isolated: it can read the keys of this server. Without development tokens, or with a secret in the configuration, the server would not start',
      );
      return createPlainWrapper(server);
    }
    throw new StartupError('mcp_isolation_unavailable', explainUnavailable(server.Name, mode, reasons));
  }

  /**
   * Returns whether this server was configured with secrets, such as API keys, in addition to those that it creates
   * itself.
   */
  private hasConfiguredSecrets(): boolean {
    const { isInEnvironment, isOnCommandLine, files } = this.secretLocations;
    return isInEnvironment || isOnCommandLine || files.length > 0;
  }

  /**
   * Tests an isolation method.
   *
   * @returns a function that wraps a command, or the reason why the method cannot be used
   */
  private async tryMethod(method: IsolationMethod, server: McpServerConfiguration): Promise<CommandWrapper | string> {
    if (method === 'none') return createPlainWrapper(server);
    const candidate =
      method === 'namespace'
        ? await this.createNamespaceCandidate(server)
        : await this.createOtherUserCandidate(server);
    if (typeof candidate === 'string') return candidate;
    const { wrap, visiblePaths } = candidate;
    const files = await listSecretFiles(this.secretLocations);
    const probeResult = await probeSecrets(wrap, [...new Set(files.flatMap((file) => [file, ...visiblePaths(file)]))]);
    if ('failure' in probeResult)
      return `a program cannot be started in this way (${toSingleLine(probeResult.failure)}).`;
    if (probeResult.readable.length === 0) return wrap;
    const shownPaths = probeResult.readable.slice(0, 5).join(', ');
    return `a program could still read ${shownPaths}${probeResult.readable.length > 5 ? ` and others (${probeResult.readable.length} in total)` : ''}. Restrict read access to them, for example with chmod 600.`;
  }

  private async createNamespaceCandidate(server: McpServerConfiguration): Promise<IsolationCandidate | string> {
    if (process.platform !== 'linux') return 'only Linux has namespaces.';
    const bubblewrap = await findProgram('bwrap');
    if (bubblewrap === undefined) return 'bubblewrap (bwrap) is not installed.';
    const hiddenPaths = await this.prepareHiddenPaths();
    const view = toSandboxView(server);
    const user = isRoot() ? (this.configuredUser() ?? NOBODY) : undefined;
    const baseStart = {
      command: bubblewrap,
      env: buildEnvironment(server),
      cwd: '/',
      ...(user === undefined ? {} : { user }),
    };
    return {
      wrap: (command, args) => ({
        ...baseStart,
        args: [...buildSandboxArguments(view, hiddenPaths), command, ...args],
      }),
      visiblePaths: (file) => findSandboxPaths(view, file),
    };
  }

  /**
   * Warns about hidden paths: a program that cannot see a path in its arguments reports little more than "no such
   * file".
   */
  private async warnOfHiddenArguments(server: McpServerConfiguration): Promise<void> {
    for (const path of server.Args.filter((argument) => isAbsolute(argument))) {
      const exists = await stat(path).then(
        () => true,
        () => false,
      );
      if (exists && findSandboxPaths(toSandboxView(server), path).length === 0)
        this.log.warn(
          { mcpServer: server.Name, path },
          'the program of the MCP server cannot see a path in its arguments: add the path to ReadPaths or WritePaths of the MCP server',
        );
    }
  }

  private async createOtherUserCandidate(server: McpServerConfiguration): Promise<IsolationCandidate | string> {
    const user = this.configuredUser();
    if (process.platform === 'win32') return 'Windows has no user ids.';
    if (user === undefined) return 'Agents:Mcp:User is not set.';
    if (!isRoot()) return 'only a server that runs as root can start programs as another user.';
    if (this.secretLocations.isOnCommandLine)
      return 'a secret is on the command line of this server, which every user may read: pass it in the environment or a file.';
    const ownedPath = await findOwnedPath(user.uid, this.secretLocations);
    if (ownedPath !== undefined)
      return `the user ${user.uid} owns ${ownedPath}, so processes of this server, such as the embedded PostgreSQL, may run as that user, and the program could read and control them: set Agents:Mcp:User to another user.`;
    return {
      wrap: (command, args) => ({ ...createPlainWrapper(server)(command, args), user }),
      visiblePaths: () => [],
    };
  }

  private configuredUser(): { readonly uid: number; readonly gid: number } | undefined {
    const { User } = this.configuration;
    return User === undefined ? undefined : { uid: User.Uid, gid: User.Gid };
  }

  /**
   * Creates the directories to hide, because a directory that is created later would not be hidden. Omits missing
   * files.
   */
  private async prepareHiddenPaths(): Promise<HiddenPaths> {
    const { directories, files } = this.secretLocations;
    for (const directory of directories) await mkdir(directory, { recursive: true });
    const isFile = await Promise.all(
      files.map((file) =>
        stat(file).then(
          (found) => found.isFile(),
          () => false,
        ),
      ),
    );
    return { directories, files: files.filter((_, index) => isFile[index]) };
  }
}

function toSandboxView({ Command = '', Cwd, ReadPaths, WritePaths, Network }: McpServerConfiguration): SandboxView {
  return { command: Command, cwd: Cwd, readPaths: ReadPaths, writePaths: WritePaths, network: Network };
}

function createPlainWrapper(server: McpServerConfiguration): CommandWrapper {
  return (command, args) => ({ command, args, env: buildEnvironment(server), cwd: server.Cwd });
}

/**
 * Returns the complete environment of a program. Without PATH, neither the command nor the program's own commands are
 * found.
 */
function buildEnvironment({ Env, PlainEnv }: McpServerConfiguration): Record<string, string> {
  const { PATH } = process.env;
  const secrets = Object.fromEntries(Object.entries(Env).map(([name, value]) => [name, value.reveal()]));
  return { ...(PATH === undefined ? {} : { PATH }), ...PlainEnv, ...secrets };
}

function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

function explainUnavailable(server: string, mode: IsolationMode, reasons: readonly string[]): string {
  return [
    `The program of the MCP server "${server}" would run as the user of this server, and could read all of its secrets: its environment, its memory, its key files and the password of the database.`,
    `Agents:Mcp:Isolation is "${mode}", but:`,
    ...reasons.map((reason) => `- ${reason}`),
    'Choose one: install bubblewrap and allow unprivileged user namespaces ("namespace", Linux); run this server as root and set Agents:Mcp:User to another user ("user");',
    'run the MCP server elsewhere and set its Url instead of a Command; or, if the program may read everything that this server may, set Agents:Mcp:Isolation, or Isolation of this MCP server, to "none".',
  ].join('\n');
}
