import { fixed, live, type Live, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const CodehostConnectorConfigurationSchema = z.object({
  Connectors: z.object({
    CodeHost: live(
      z.object({
        BaseUrl: fixed(
          z
            .url({ protocol: /^https?$/ })
            .default('https://api.github.com')
            .describe(
              'Root of the API of the code host that workflows write to: of GitHub Enterprise Server https://HOST/api/v3, of Gitea and Forgejo https://HOST/api/v1.',
            ),
        ),
        Token: secret().describe(
          'Token that workflows comment, set commit statuses and open pull requests with. It goes to the host of BaseUrl alone.',
        ),
      }),
    ),
  }),
  Agents: z.object({
    CodeHost: live(
      z.object({
        Repositories: z
          .array(
            z
              .string()
              .regex(
                /^[\w.-]{1,100}\/(?:\*|[\w.-]{1,100})$/,
                'Expected a repository such as owner/name, or owner/* for all of an owner.',
              ),
          )
          .default([])
          .describe(
            'Repositories that agents may read and write with the tools codehost.…, with the token of Connectors:CodeHost: owner/name, or owner/* for all of an owner. None by default.',
          ),
      }),
    ),
  }),
});

export type CodehostConnectorConfiguration = z.infer<typeof CodehostConnectorConfigurationSchema>;

export const LiveCodehostConnectorConfiguration: ServiceIdentifier<Live<CodehostConnectorConfiguration>> = Symbol.for(
  '@countersign/connector-codehost:LiveConfiguration',
);
