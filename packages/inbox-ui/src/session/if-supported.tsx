import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OfferedCapability } from '../inbox/engine-support.js';
import { useEngineSupport } from './use-engine-support.js';

interface IfSupportedProps {
  readonly capability: OfferedCapability;
  readonly children: ReactNode;
}

/** Shows the controls of an action, or why the engine of the server does not support the action. */
export function IfSupported({ capability, children }: IfSupportedProps) {
  const explanation = useEngineSupport().explainMissing([capability]);
  return explanation === undefined ? (
    children
  ) : (
    <Text size="xs" c="dimmed">
      {explanation}
    </Text>
  );
}
