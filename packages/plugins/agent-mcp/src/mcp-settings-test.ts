import {
  ClockPort,
  OutboundHttpPort,
  Redactor,
  type SettingsTestCheck,
  type SettingsTestContribution,
  SettingsTestFailure,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { McpServers, toolName, type McpServerConfiguration } from './configuration.js';
import { Connection } from './connection.js';
import { secretHider, toolSecretHider } from './hide-secrets.js';
import { ProgramIsolation } from './isolation/program-isolation.js';
import { readListedTools } from './read-listed-tools.js';
import { oneLine } from './visible-text.js';
import { whyNotConnected } from './why-not-connected.js';

/** Connects to each MCP server, and checks whether it offers the allowed tools. Pins nothing. */
@injectable()
export class McpSettingsTest implements SettingsTestContribution {
  readonly target = 'mcp';

  constructor(
    @inject(McpServers) private readonly servers: McpServers,
    @inject(OutboundHttpPort) private readonly http: OutboundHttpPort,
    @inject(ProgramIsolation) private readonly isolation: ProgramIsolation,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(Redactor) private readonly redactor: Redactor,
  ) {}

  checks(): readonly SettingsTestCheck[] {
    return this.servers.map((server) => ({ name: server.Name, run: () => this.try(server) }));
  }

  private async try(server: McpServerConfiguration): Promise<string> {
    const nothing = (): void => undefined;
    const hide = secretHider(server, this.redactor);
    const connection = await orExplained(
      hide,
      Connection.open(
        server,
        {
          http: this.http,
          startOf: (each) => this.isolation.startOf(each),
          now: () => this.clock.now(),
        },
        { onClose: nothing, onToolsChanged: nothing, onError: nothing, onStderr: nothing, onNoise: nothing },
      ),
    );
    try {
      const listed = await orExplained(hide, connection.listTools());
      const offers = readListedTools(server, listed, toolSecretHider(server, this.redactor), 0);
      const missing = server.AllowedTools.filter(
        ({ Name }) => offers.get(toolName(server.Name, Name))?.tool === undefined,
      );
      const faults = missing.map(
        ({ Name }) => `${Name} (${offers.get(toolName(server.Name, Name))?.problem ?? 'not offered'})`,
      );
      if (faults.length > 0)
        throw new SettingsTestFailure(
          `The MCP server responds, but these AllowedTools cannot be used: ${faults.slice(0, 10).join(', ')}.`,
        );
      return `The MCP server offers ${listed.tools.length} tools, of which ${server.AllowedTools.length} are allowed.`;
    } finally {
      await connection.close();
    }
  }
}

/** Replaces an error, without its cause, which may contain secrets. */
async function orExplained<T>(hide: (texts: readonly string[]) => string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new SettingsTestFailure(`The MCP server is not responding: ${oneLine(hide([whyNotConnected(error)]))}`);
  }
}
