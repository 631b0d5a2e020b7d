import { filePath, deploymentOnly } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const PolicyCedarConfigurationSchema = z.object({
  Policies: deploymentOnly(
    z.object({
      Directory: filePath()
        .optional()
        .describe(
          'Directory of the policies: *.cedar files and an optional *.cedarschema. By default the policies that are included with the server apply. Read when the server starts.',
        ),
    }),
  ).prefault({}),
});

export type PolicyCedarConfiguration = z.infer<typeof PolicyCedarConfigurationSchema>;

export const PolicyCedarConfiguration: ServiceIdentifier<PolicyCedarConfiguration> = Symbol.for(
  '@countersign/policy-cedar:Configuration',
);
