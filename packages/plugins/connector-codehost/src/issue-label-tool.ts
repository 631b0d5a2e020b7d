import type { ToolCall, ToolContribution, ToolOutput } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { AgentCodehost } from './agent-codehost.js';
import { CodehostClient } from './codehost-client.js';
import { splitFullName, toolIssueNumberSchema, toolRepositorySchema } from './inputs.js';
import { toLabelNames, MAX_LABEL_CHARACTERS } from './labels.js';

const MAX_LABELS = 20;

const Input = z.strictObject({
  repository: toolRepositorySchema(),
  number: toolIssueNumberSchema(),
  labels: z
    .array(z.string().trim().min(1).max(MAX_LABEL_CHARACTERS))
    .min(1)
    .max(MAX_LABELS)
    .meta({ description: 'Names of the labels to add.' }),
});
const Output = z.object({
  /** All labels after the call. */
  labels: z.array(z.string()),
});
type Input = z.output<typeof Input>;

/** Adds labels to an issue or a pull request. Adding the same labels again changes nothing. */
@injectable()
export class IssueLabelTool implements ToolContribution<typeof Input, typeof Output> {
  readonly name = 'codehost.issue.label';
  readonly description =
    'Adds labels to an issue or a pull request of the code host, in addition to its existing labels. Returns all of its labels.';
  readonly input = Input;
  readonly output = Output;
  readonly effect = 'write';
  readonly reversible = true;
  readonly unknownOutcome = 'repeat';

  constructor(
    @inject(AgentCodehost) private readonly codehost: AgentCodehost,
    @inject(CodehostClient) private readonly client: CodehostClient,
  ) {}

  hosts(): readonly string[] {
    return this.codehost.hosts();
  }

  async call(
    { repository: fullName, number, labels }: Input,
    call: ToolCall,
  ): Promise<ToolOutput<z.output<typeof Output>>> {
    const { effect } = this;
    return this.codehost.execute({ repository: fullName, effect, attempt: call.attempt }, () =>
      this.client.use(call, async (api) => {
        const { data } = await api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
          ...splitFullName(fullName),
          issue_number: number,
          labels,
        });
        return { content: { labels: toLabelNames(data) } };
      }),
    );
  }
}
