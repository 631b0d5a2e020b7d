import type { ToolCall, ToolContribution, ToolOutput } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { AgentCodehost } from './agent-codehost.js';
import { StatusConnector, StatusInput, StatusOutput } from './status-connector.js';
import { toolCommitSchema, toolRepositorySchema } from './inputs.js';

const Input = StatusInput.extend({ repository: toolRepositorySchema(), sha: toolCommitSchema() });
type Input = z.output<typeof Input>;

/** Sets the status of a commit. */
@injectable()
export class StatusTool implements ToolContribution<typeof Input, typeof StatusOutput> {
  readonly name = 'codehost.status';
  readonly description =
    'Sets the status of a commit on the code host. It appears among the checks of a pull request. A later status with the same context replaces it.';
  readonly input = Input;
  readonly output = StatusOutput;
  readonly effect = 'write';
  readonly reversible = true;
  readonly unknownOutcome = 'repeat';

  constructor(
    @inject(AgentCodehost) private readonly codehost: AgentCodehost,
    @inject(StatusConnector) private readonly connector: StatusConnector,
  ) {}

  hosts(): readonly string[] {
    return this.codehost.hosts();
  }

  async call(input: Input, call: ToolCall): Promise<ToolOutput<StatusOutput>> {
    const { repository } = input;
    const { effect } = this;
    return {
      content: await this.codehost.execute({ repository, effect, attempt: call.attempt }, () =>
        this.connector.call(input, call),
      ),
    };
  }
}
