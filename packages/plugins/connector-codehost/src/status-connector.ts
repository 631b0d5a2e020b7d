import type { ConnectorCall, ConnectorContribution } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { CodehostClient } from './codehost-client.js';
import { commit, repository, split } from './inputs.js';

const Input = z.strictObject({
  repository: repository(),
  sha: commit().meta({ title: 'Commit', description: 'Its whole hash, such as =codehost.pullRequest.head.sha.' }),
  state: z.enum(['pending', 'success', 'failure', 'error']).meta({ title: 'State' }),
  context: z.string().min(1).max(100).default('countersign').meta({ title: 'Name', description: 'A later status of the same name replaces it.' }),
  description: z.string().max(140).optional().meta({ title: 'Description' }),
  targetUrl: z.url({ protocol: /^https?$/ }).optional().meta({ title: 'Link', description: 'Where more is to be seen.' }),
});
const Output = z.object({ state: z.string(), context: z.string() });
type Input = z.output<typeof Input>;
type Output = z.output<typeof Output>;

/** Sets the status of a commit. To set it again changes nothing: the newest of a name counts. */
@injectable()
export class StatusConnector implements ConnectorContribution<typeof Input, typeof Output> {
  readonly id = 'countersign.codehost.status';
  readonly title = 'Set a commit status';
  readonly description = 'Sets the status of a commit at GitHub, Gitea or Forgejo, as the checks of a pull request show it.';
  readonly jobType = 'codehost.status';
  readonly version = 1;
  readonly effect = 'write';
  readonly input = Input;
  readonly output = Output;

  constructor(@inject(CodehostClient) private readonly client: CodehostClient) {}

  call({ repository: fullName, sha, state, context, description, targetUrl }: Input, call: ConnectorCall): Promise<Output> {
    return this.client.use(call, async (api) => {
      const optional = { ...(description === undefined ? {} : { description }), ...(targetUrl === undefined ? {} : { target_url: targetUrl }) };
      await api.request('POST /repos/{owner}/{repo}/statuses/{sha}', { ...split(fullName), sha, state, context, ...optional });
      return { state, context };
    });
  }
}
