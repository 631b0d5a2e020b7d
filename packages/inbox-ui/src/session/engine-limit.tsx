import type { EngineCapability } from '@countersign/contract';
import { Text } from '@mantine/core';
import { useEngineSupport } from './use-engine-support.js';

/** Explains why an action is not offered; renders nothing if the engine supports it. */
export function EngineLimit({ capability }: { readonly capability: EngineCapability }) {
  const explanation = useEngineSupport().explainMissing([capability]);
  return explanation === undefined ? null : (
    <Text size="xs" c="dimmed">
      {explanation}
    </Text>
  );
}
