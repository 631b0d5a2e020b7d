import type { ConnectorCall, ConnectorContribution } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { CodehostClient } from './codehost-client.js';
import { commitSchema, repositorySchema, splitFullName } from './inputs.js';

export const StatusInput = z.strictObject({
  repository: repositorySchema(),
  sha: commitSchema().meta({
    title: 'Commit',
    description: 'The full hash of the commit, such as =codehost.pullRequest.head.sha.',
  }),
  state: z.enum(['pending', 'success', 'failure', 'error']).meta({ title: 'State' }),
  context: z
    .string()
    .min(1)
    .max(100)
    .default('countersign')
    .meta({ title: 'Name', description: 'A later status of the same name replaces this one.' }),
  description: z.string().max(140).optional().meta({ title: 'Description' }),
  targetUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ title: 'Link', description: 'A page with details.' }),
});
export const StatusOutput = z.object({ state: z.string(), context: z.string() });
export type StatusInput = z.output<typeof StatusInput>;
export type StatusOutput = z.output<typeof StatusOutput>;

/** Sets the status of a commit. Setting it again changes nothing: the newest status of a name counts. */
@injectable()
export class StatusConnector implements ConnectorContribution<typeof StatusInput, typeof StatusOutput> {
  readonly id = 'countersign.codehost.status';
  readonly title = 'Set a commit status';
  readonly description =
    'Sets the status of a commit on GitHub, Gitea or Forgejo. It appears among the checks of a pull request.';
  readonly jobType = 'codehost.status';
  readonly version = 1;
  readonly effect = 'write';
  readonly input = StatusInput;
  readonly output = StatusOutput;

  constructor(@inject(CodehostClient) private readonly client: CodehostClient) {}

  hosts(): readonly string[] {
    return this.client.hosts();
  }

  call(
    { repository: fullName, sha, state, context, description, targetUrl }: StatusInput,
    call: ConnectorCall,
  ): Promise<StatusOutput> {
    return this.client.use(call, async (api) => {
      const optionalParameters = {
        ...(description === undefined ? {} : { description }),
        ...(targetUrl === undefined ? {} : { target_url: targetUrl }),
      };
      await api.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
        ...splitFullName(fullName),
        sha,
        state,
        context,
        ...optionalParameters,
      });
      return { state, context };
    });
  }
}
