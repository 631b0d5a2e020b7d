import { z } from 'zod';

export const endpointId = (kind: string) =>
  z
    .string()
    .min(1)
    .meta({
      title: 'Endpoint',
      description: `The Id of an endpoint of the kind "${kind}" in Connectors:Notify:Endpoints.`,
    });

/** What a step knows of its notification: that it will be delivered, and under which id. */
export const Accepted = z.object({ deliveryId: z.string(), endpoint: z.string() });

export type Accepted = z.output<typeof Accepted>;
