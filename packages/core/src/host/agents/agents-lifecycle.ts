import { inject, injectable } from 'inversify';
import { StartAgents } from '../../application/agents/start-agents.js';
import type { LifecycleContribution } from '../../contributions/lifecycle.js';
import { HostStartError } from '../host-start-error.js';

/** Reads the definitions of agents, once all that they name has started. */
@injectable()
export class AgentsLifecycle implements LifecycleContribution {
  readonly name = 'agents';

  constructor(@inject(StartAgents) private readonly agents: StartAgents) {}

  /** @throws {HostStartError} with everything that is wrong */
  async start(): Promise<void> {
    const problems = await this.agents.execute();
    if (problems.length > 0) throw new HostStartError(problems);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
