import { deploymentOnly, reloadable, type Live, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const CodehostConnectorConfigurationSchema = z.object({
  Connectors: z.object({
    CodeHost: reloadable(
      z.object({
        BaseUrl: deploymentOnly(
          z
            .url({ protocol: /^https?$/ })
            .default('https://api.github.com')
            .describe(
              'Base URL of the API of the code host that workflows write to. For GitHub Enterprise Server: https://HOST/api/v3; for Gitea and Forgejo: https://HOST/api/v1.',
            ),
        ),
        Token: secret().describe(
          'Token with which workflows comment, set commit statuses and open pull requests. It is sent only to the host of BaseUrl.',
        ),
      }),
    ),
  }),
  Agents: z.object({
    CodeHost: reloadable(
      z.object({
        Repositories: z
          .array(
            z
              .string()
              .regex(
                /^[\w.-]{1,100}\/(?:\*|[\w.-]{1,100})$/,
                'Expected a repository such as owner/name, or owner/* for all repositories of an owner.',
              ),
          )
          .default([])
          .describe(
            'Repositories that agents may read and write with the codehost.* tools and the token of Connectors:CodeHost: owner/name, or owner/* for all repositories of an owner. None by default.',
          ),
      }),
    ),
  }),
});

export type CodehostConnectorConfiguration = z.infer<typeof CodehostConnectorConfigurationSchema>;

export const LiveCodehostConnectorConfiguration: ServiceIdentifier<Live<CodehostConnectorConfiguration>> = Symbol.for(
  '@countersign/connector-codehost:LiveConfiguration',
);
