import type { LookupResult, ToolCall, ToolContribution, ToolOutput } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { AgentCodehost } from './agent-codehost.js';
import { PullRequestConnector, PullRequestInput, PullRequestOutput } from './pull-request-connector.js';
import { toolRepositorySchema } from './inputs.js';

const Input = PullRequestInput.extend({ repository: toolRepositorySchema() });
type Input = z.output<typeof Input>;

/** Opens a pull request, unless an open one exists between the branches. */
@injectable()
export class PullRequestTool implements ToolContribution<typeof Input, typeof PullRequestOutput> {
  readonly name = 'codehost.pullRequest';
  readonly description =
    'Opens a pull request on the code host, from one branch of a repository into another. If one is already open between the branches, returns that one. Returns the number and URL of the pull request.';
  readonly input = Input;
  readonly output = PullRequestOutput;
  readonly effect = 'write';
  readonly reversible = true;
  readonly unknownOutcome = 'lookup';

  constructor(
    @inject(AgentCodehost) private readonly codehost: AgentCodehost,
    @inject(PullRequestConnector) private readonly connector: PullRequestConnector,
  ) {}

  hosts(): readonly string[] {
    return this.codehost.hosts();
  }

  async call(input: Input, call: ToolCall): Promise<ToolOutput<PullRequestOutput>> {
    const { repository } = input;
    const { effect } = this;
    return {
      content: await this.codehost.execute({ repository, effect, attempt: call.attempt }, () =>
        this.connector.call(input, call),
      ),
    };
  }

  async lookUp(input: Input, call: ToolCall): Promise<LookupResult<PullRequestOutput>> {
    const content = await this.connector.find(input, call);
    return content === undefined ? { executed: false } : { executed: true, output: { content } };
  }
}
