import { filePath, fixed } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const PolicyCedarConfigurationSchema = z.object({
  Policies: fixed(
    z.object({
      Directory: filePath()
        .optional()
        .describe(
          'Where the policies lie: *.cedar files, and a *.cedarschema that may be left out. By default those that come with the server hold. Read when the server starts.',
        ),
    }),
  ).prefault({}),
});

export type PolicyCedarConfiguration = z.infer<typeof PolicyCedarConfigurationSchema>;

export const PolicyCedarConfiguration: ServiceIdentifier<PolicyCedarConfiguration> = Symbol.for(
  '@countersign/policy-cedar:Configuration',
);
