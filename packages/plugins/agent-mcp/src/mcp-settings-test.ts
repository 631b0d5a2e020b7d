import {
  ClockPort,
  OutboundHttpPort,
  Redactor,
  type SettingsTestCheck,
  type SettingsTestContribution,
  SettingsTestFailure,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { McpServers, toAgentToolName, type McpServerConfiguration } from './configuration.js';
import { Connection } from './connection.js';
import { createServerRedactor, createToolRedactor } from './server-redactor.js';
import { ProgramIsolation } from './isolation/program-isolation.js';
import { readListedTools } from './read-listed-tools.js';
import { toSingleLine } from './escape-hidden-characters.js';
import { describeConnectionProblem } from './describe-connection-problem.js';

/** Connects to each MCP server, and checks whether it offers the allowed tools. Does not pin tools. */
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
    return this.servers.map((server) => ({ name: server.Name, run: () => this.testServer(server) }));
  }

  private async testServer(server: McpServerConfiguration): Promise<string> {
    const ignore = (): void => undefined;
    const redactLast = createServerRedactor(server, this.redactor);
    const connection = await withSettingsTestFailure(
      redactLast,
      Connection.open(
        server,
        {
          http: this.http,
          getProgramStart: (each) => this.isolation.getProgramStart(each),
          now: () => this.clock.now(),
        },
        { onClose: ignore, onToolsChanged: ignore, onError: ignore, onStderr: ignore, onNoise: ignore },
      ),
    );
    try {
      const listed = await withSettingsTestFailure(redactLast, connection.listTools());
      const offers = readListedTools(server, listed, createToolRedactor(server, this.redactor), 0);
      const unusableTools = server.AllowedTools.filter(
        ({ Name }) => offers.get(toAgentToolName(server.Name, Name))?.tool === undefined,
      );
      const problems = unusableTools.map(
        ({ Name }) => `${Name} (${offers.get(toAgentToolName(server.Name, Name))?.problem ?? 'not offered'})`,
      );
      if (problems.length > 0)
        throw new SettingsTestFailure(
          `The MCP server responds, but these AllowedTools cannot be used: ${problems.slice(0, 10).join(', ')}.`,
        );
      return `Tools that the MCP server offers: ${listed.tools.length}. Allowed: ${server.AllowedTools.length}.`;
    } finally {
      await connection.close();
    }
  }
}

/** Replaces an error with a `SettingsTestFailure` without a cause, because the error may contain secrets. */
async function withSettingsTestFailure<T>(
  redactLast: (texts: readonly string[]) => string,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new SettingsTestFailure(
      `The MCP server is not responding: ${toSingleLine(redactLast([describeConnectionProblem(error)]))}`,
    );
  }
}
