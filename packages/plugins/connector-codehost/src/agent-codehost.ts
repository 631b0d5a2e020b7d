import { isOutboundHttpError, isTerminalFailure, type Live, toToolFailure, ToolError } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { CodehostClient } from './codehost-client.js';
import { LiveCodehostConnectorConfiguration, type CodehostConnectorConfiguration } from './configuration.js';

interface AgentRequest {
  readonly repository: string;
  readonly effect: 'read' | 'write';
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** Shared behaviour of the agent tools: the repository check and the conversion of errors. */
@injectable()
export class AgentCodehost {
  constructor(
    @inject(CodehostClient) private readonly client: CodehostClient,
    @inject(LiveCodehostConnectorConfiguration) private readonly configuration: Live<CodehostConnectorConfiguration>,
  ) {}

  /** Returns the origins of the calls. */
  hosts(): readonly string[] {
    return this.client.hosts();
  }

  /**
   * Executes the work of a call. The work must be repeatable: it finds the object that an earlier attempt created, or
   * has no further effect.
   *
   * @throws {ToolError} `codehost_repository_not_allowed`, or if the code host refuses the call
   * @throws {RetryableFailure} if another attempt may help. After any other error the outcome of the call is unknown.
   */
  async execute<T>({ repository, effect, attempt }: AgentRequest, work: () => Promise<T>): Promise<T> {
    if (!this.isAllowed(repository))
      throw new ToolError(
        'codehost_repository_not_allowed',
        'Agents may not access this repository. To allow it, add it to Agents:CodeHost:Repositories.',
      );
    try {
      return await work();
    } catch (error) {
      throw toAgentError(error, effect, attempt);
    }
  }

  private isAllowed(repository: string): boolean {
    // Repository names of code hosts are case-insensitive.
    const name = repository.toLowerCase();
    return this.configuration.current.Agents.CodeHost.Repositories.some((configured) => {
      const pattern = configured.toLowerCase();
      return pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
    });
  }
}

function toAgentError(error: unknown, effect: AgentRequest['effect'], attempt: number): unknown {
  if (isOutboundHttpError(error)) {
    // The call may have taken effect, for example if only its response could not be read.
    return !error.retryable && effect === 'write' && error.wasSent ? error : toToolFailure(error);
  }
  if (!isTerminalFailure(error)) return error;
  // The outcome of the earlier attempt is unknown.
  if (error.code === 'codehost_too_much_to_search' && attempt > 1) return error;
  return new ToolError(error.code, error.message, { cause: error });
}
