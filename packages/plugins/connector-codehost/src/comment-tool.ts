import type { LookupResult, ToolCall, ToolContribution, ToolOutput } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { AgentCodehost } from './agent-codehost.js';
import { CommentConnector, CommentInput, CommentOutput } from './comment-connector.js';
import { toolIssueNumberSchema, toolRepositorySchema } from './inputs.js';

const Input = CommentInput.extend({ repository: toolRepositorySchema(), number: toolIssueNumberSchema() });
type Input = z.output<typeof Input>;

/** Writes a comment on an issue or a pull request. Finds the comment of an earlier attempt by its mark. */
@injectable()
export class CommentTool implements ToolContribution<typeof Input, typeof CommentOutput> {
  readonly name = 'codehost.comment';
  readonly description =
    'Writes a comment in Markdown on an issue or a pull request of the code host. Everyone who can read the repository can see it. Returns the id and URL of the comment.';
  readonly input = Input;
  readonly output = CommentOutput;
  readonly effect = 'write';
  // A comment can be deleted, but people may have read it.
  readonly reversible = false;
  readonly unknownOutcome = 'lookup';

  constructor(
    @inject(AgentCodehost) private readonly codehost: AgentCodehost,
    @inject(CommentConnector) private readonly connector: CommentConnector,
  ) {}

  hosts(): readonly string[] {
    return this.codehost.hosts();
  }

  async call(input: Input, call: ToolCall): Promise<ToolOutput<CommentOutput>> {
    const { repository } = input;
    const { effect } = this;
    return {
      content: await this.codehost.execute({ repository, effect, attempt: call.attempt }, () =>
        this.connector.call(input, call),
      ),
    };
  }

  async lookUp(input: Input, call: ToolCall): Promise<LookupResult<CommentOutput>> {
    const content = await this.connector.findComment(input, call);
    return content === undefined ? { executed: false } : { executed: true, output: { content } };
  }
}
