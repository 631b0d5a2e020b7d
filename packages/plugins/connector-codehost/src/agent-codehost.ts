import { isOutboundHttpError, isTerminalFailure, type Live, toToolFailure, ToolError } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { CodehostClient } from './codehost-client.js';
import { LiveCodehostConnectorConfiguration, type CodehostConnectorConfiguration } from './configuration.js';

interface Made {
  readonly repository: string;
  readonly effect: 'read' | 'write';
  /** 1 for the first one. */
  readonly attempt: number;
}

/** What the tools of agents have in common: which repositories they may use, and how a failure is told. */
@injectable()
export class AgentCodehost {
  constructor(
    @inject(CodehostClient) private readonly client: CodehostClient,
    @inject(LiveCodehostConnectorConfiguration) private readonly configuration: Live<CodehostConnectorConfiguration>,
  ) {}

  /** Where the calls go to. */
  hosts(): readonly string[] {
    return this.client.hosts();
  }

  /**
   * Does the work of a call that may be done again: it finds what it has made, or changes nothing the second time.
   *
   * @throws {ToolError} `codehost_repository_not_allowed`, and what the host refuses; {RetryableFailure}; anything else where
   * it is open whether the call was made
   */
  async make<T>({ repository, effect, attempt }: Made, work: () => Promise<T>): Promise<T> {
    if (!this.isAllowed(repository))
      throw new ToolError(
        'codehost_repository_not_allowed',
        'Agents may not use this repository. An operator allows it by Agents:CodeHost:Repositories.',
      );
    try {
      return await work();
    } catch (error) {
      throw toldToAgent(error, effect, attempt);
    }
  }

  private isAllowed(repository: string): boolean {
    // Code hosts don't tell cases apart.
    const name = repository.toLowerCase();
    return this.configuration.current.Agents.CodeHost.Repositories.some((given) => {
      const pattern = given.toLowerCase();
      return pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
    });
  }
}

function toldToAgent(error: unknown, effect: Made['effect'], attempt: number): unknown {
  if (isOutboundHttpError(error)) {
    // An answer that can't be taken in, for example: the call was made.
    return !error.retryable && effect === 'write' && error.wasSent ? error : toToolFailure(error);
  }
  if (!isTerminalFailure(error)) return error;
  // Nobody knows then what an earlier attempt has done.
  if (error.code === 'codehost_too_much_to_search' && attempt > 1) return error;
  return new ToolError(error.code, error.message, { cause: error });
}
