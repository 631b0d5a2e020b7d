import {
  ApiError,
  ClockPort,
  type JsonObject,
  LoggerPort,
  Redactor,
  type ToolPin,
  type ToolPinPort,
} from '@countersign/core/plugin';
import { type AcceptedContent, type StoredToolPin, ToolPinStore } from '@countersign/core/ports';
import type { Actor, AuditEntry } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { McpServers, toAgentToolName, type AllowedTool, type McpServerConfiguration } from './configuration.js';
import { createToolRedactor } from './server-redactor.js';
import type { ListedTools } from './read-tool-pages.js';
import type { OfferedTool } from './offered-tool.js';
import { readListedTools, type ToolOffer } from './read-listed-tools.js';
import { findStopReason } from './find-stop-reason.js';

/** Recorded instead of a person if a tool was accepted on first use or by the configuration. */
const BY_FIRST_USE = 'first-use';
const BY_CONFIGURATION = 'configuration';

/** A tool that agents may call: allowed by the operator, and pinned as accepted. */
export interface UsableTool {
  readonly name: string;
  readonly server: McpServerConfiguration;
  readonly allowed: AllowedTool;
  readonly pin: StoredToolPin;
}

/**
 * Determines which tools agents may call. The accepted form of each tool is pinned for all Countersign
 * servers that share the database: initially the first one offered (or the configured one), later the one that an admin
 * accepts. A tool that differs from its pin is stopped, and stays stopped even if its server reverts the change.
 */
@injectable()
export class PinnedTools implements ToolPinPort {
  #pins: ReadonlyMap<string, StoredToolPin> = new Map();
  /** Offers of the servers that have responded, by server name and tool name: the tool, or why it cannot be used. */
  readonly #offers = new Map<string, ReadonlyMap<string, ToolOffer>>();
  /** Why servers cannot be called, by server name. */
  readonly #problems = new Map<string, string>();

  constructor(
    @inject(ToolPinStore) private readonly store: ToolPinStore,
    @inject(McpServers) private readonly servers: McpServers,
    @inject(LoggerPort) private readonly log: LoggerPort,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(Redactor) private readonly redactor: Pick<Redactor, 'redactJson'>,
  ) {}

  /** Reloads the pins. */
  async load(): Promise<void> {
    this.#pins = new Map((await this.store.listToolPins()).map((pin) => [pin.name, pin]));
  }

  /**
   * Compares the current offers of a server with the pins; pins new tools, and stops changed ones.
   *
   * @param isCurrent returns whether the connection that listed the tools is still in use; if not, its offers are
   *   discarded
   */
  async reconcile(server: McpServerConfiguration, listed: ListedTools, isCurrent: () => boolean): Promise<void> {
    const offers = readListedTools(server, listed, createToolRedactor(server, this.redactor), this.clock.now());
    await this.load();
    for (const allowed of server.AllowedTools) {
      const offer = offers.get(toAgentToolName(server.Name, allowed.Name));
      if (offer?.tool !== undefined) await this.reconcileTool(server, allowed, offer.tool);
    }
    await this.load();
    if (!isCurrent()) return;
    this.#offers.set(server.Name, offers);
    this.#problems.delete(server.Name);
  }

  /** Discards the offers of a server that no longer responds, because its current offers are unknown. */
  discardOffers(server: string, problem: string): void {
    this.#offers.delete(server);
    this.#problems.set(server, problem);
  }

  /** Returns the tools that agents may call. Includes tools of unavailable servers until a change is detected. */
  listUsableTools(): readonly UsableTool[] {
    return this.servers.flatMap((server) =>
      server.AllowedTools.flatMap((allowed): UsableTool[] => {
        const name = toAgentToolName(server.Name, allowed.Name);
        const pin = this.#pins.get(name);
        return pin === undefined || this.findStop(server, allowed) !== null ? [] : [{ name, server, allowed, pin }];
      }),
    );
  }

  /** Returns the allowed tools that agents cannot call, with the reasons. */
  listStoppedTools(): readonly { readonly name: string; readonly message: string }[] {
    return this.servers.flatMap((server) =>
      server.AllowedTools.flatMap((allowed) => {
        const stop = this.findStop(server, allowed);
        return stop === null ? [] : [{ name: toAgentToolName(server.Name, allowed.Name), message: stop.message }];
      }),
    );
  }

  async list(): Promise<readonly ToolPin[]> {
    await this.load();
    const configured = this.servers.flatMap((server) =>
      server.AllowedTools.map((allowed) => this.toToolPin(server, allowed)),
    );
    const names = new Set(configured.map(({ name }) => name));
    const others = [...this.#pins.values()]
      .filter(({ name }) => !names.has(name))
      .map((pin): ToolPin => {
        return {
          name: pin.name,
          source: pin.source,
          accepted: toAccepted(pin),
          offered: null,
          stopped: {
            code: 'tool_not_allowed',
            message: 'The tool is not in the AllowedTools of any server in Agents:Mcp:Servers.',
            since: pin.at,
          },
        };
      });
    return [...configured, ...others].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  async acceptTool(name: string, digest: string, actor: Actor): Promise<ToolPin> {
    await this.load();
    const found = this.findAllowedTool(name);
    const offer = found === undefined ? undefined : this.#offers.get(found.server.Name)?.get(name);
    if (found === undefined || offer?.tool === undefined)
      throw new ApiError(
        'tool_not_found',
        `Cannot accept "${name.slice(0, 200)}": no MCP server currently offers a usable tool of this name.`,
      );
    const { server, allowed } = found;
    if (offer.tool.digest !== digest)
      throw new ApiError(
        'stale_digest',
        'The MCP server no longer offers the definition that you reviewed. Review the current one.',
      );
    if (allowed.Digest !== '' && allowed.Digest !== digest)
      throw new ApiError(
        'stale_digest',
        'The configuration requires a different digest for this tool. Change its Digest in AllowedTools.',
      );
    const pin = this.#pins.get(name);
    if (pin === undefined || pin.digest !== digest || pin.stopped !== null) {
      await this.pin(server, offer.tool, { type: actor.type, id: actor.id, name: actor.name }, actor.id);
      await this.load();
    }
    return this.toToolPin(server, allowed);
  }

  private async reconcileTool(server: McpServerConfiguration, allowed: AllowedTool, tool: OfferedTool): Promise<void> {
    const { Digest } = allowed;
    const name = toAgentToolName(server.Name, tool.name);
    const pin = this.#pins.get(name);
    if (Digest !== '' && tool.digest === Digest) {
      if (pin === undefined || pin.digest !== Digest || pin.stopped !== null)
        await this.pin(server, tool, null, BY_CONFIGURATION);
    } else if (pin === undefined) {
      if (Digest !== '') return;
      const isFirst = await this.store.pinToolIfNew(
        this.toAcceptedContent(server, tool, BY_FIRST_USE),
        this.toAuditEntry('tool.pin', name, null, { digest: tool.digest, source: server.Name }),
      );
      if (isFirst) return;
      // Another Countersign server pinned the tool first, possibly in another form.
      await this.load();
      if (this.#pins.has(name)) await this.reconcileTool(server, allowed, tool);
    } else if (pin.digest !== tool.digest) {
      const stop = {
        digest: tool.digest,
        code: 'tool_changed',
        message: 'The definition of the tool differs from the accepted one. Review it, and accept it if it is right.',
        at: this.clock.now(),
      };
      const isNew = await this.store.stopTool(
        name,
        pin.digest,
        stop,
        this.toAuditEntry('tool.stop', name, null, { digest: tool.digest, accepted: pin.digest, source: server.Name }),
      );
      if (isNew)
        this.log.warn(
          { tool: name, accepted: pin.digest, offered: tool.digest },
          'stopped a tool of an MCP server until an admin accepts it, because its definition has changed',
        );
    }
  }

  private pin(
    server: McpServerConfiguration,
    tool: OfferedTool,
    actor: AuditEntry['actor'],
    by: string,
  ): Promise<void> {
    const name = toAgentToolName(server.Name, tool.name);
    return this.store.acceptTool(
      this.toAcceptedContent(server, tool, by),
      this.toAuditEntry('tool.accept', name, actor, {
        digest: tool.digest,
        accepted: this.#pins.get(name)?.digest ?? null,
        source: server.Name,
        by,
      }),
    );
  }

  private toAcceptedContent(
    server: McpServerConfiguration,
    { name, description, inputSchema, digest }: OfferedTool,
    by: string,
  ): AcceptedContent {
    return {
      name: toAgentToolName(server.Name, name),
      source: server.Name,
      digest,
      content: { description, inputSchema },
      at: this.clock.now(),
      by,
    };
  }

  private toAuditEntry(action: string, name: string, actor: AuditEntry['actor'], data: JsonObject): AuditEntry {
    return {
      at: this.clock.now(),
      actor: actor ?? { type: 'system', id: 'agent-mcp', name: 'MCP' },
      action,
      target: { type: 'tool', id: name },
      result: 'ok',
      from: 'agent-mcp',
      data,
    };
  }

  private findAllowedTool(
    name: string,
  ): { readonly server: McpServerConfiguration; readonly allowed: AllowedTool } | undefined {
    for (const server of this.servers)
      for (const allowed of server.AllowedTools)
        if (toAgentToolName(server.Name, allowed.Name) === name) return { server, allowed };
    return undefined;
  }

  private findStop(server: McpServerConfiguration, { Name, Digest }: AllowedTool): ToolPin['stopped'] {
    const name = toAgentToolName(server.Name, Name);
    const offers = this.#offers.get(server.Name);
    return findStopReason(
      {
        configuredDigest: Digest,
        pin: this.#pins.get(name),
        hasListedTools: offers !== undefined,
        problem: this.#problems.get(server.Name),
        offer: offers?.get(name),
      },
      this.clock.now(),
    );
  }

  private toToolPin(server: McpServerConfiguration, allowed: AllowedTool): ToolPin {
    const name = toAgentToolName(server.Name, allowed.Name);
    const pin = this.#pins.get(name);
    const offered = this.#offers.get(server.Name)?.get(name)?.tool;
    return {
      name,
      source: server.Name,
      accepted: pin === undefined ? null : toAccepted(pin),
      offered:
        offered === undefined
          ? null
          : {
              description: offered.description,
              inputSchema: offered.inputSchema,
              effect: allowed.Effect,
              reversible: allowed.Reversible,
              digest: offered.digest,
            },
      stopped: this.findStop(server, allowed),
      unavailable: this.#problems.get(server.Name) ?? null,
    };
  }
}

function toAccepted({ digest, at, by }: StoredToolPin): ToolPin['accepted'] {
  return { digest, at, by };
}
