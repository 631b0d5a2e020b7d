import { Pill } from '@mantine/core';
import type { ReactNode } from 'react';

interface RemovablePillProps {
  /** Label of the button. */
  readonly removeLabel: string;
  readonly children: ReactNode;
  onRemove(): void;
}

/** A chosen value, such as a filter of a list, with a button that removes it. */
export function RemovablePill({ removeLabel, children, onRemove }: RemovablePillProps) {
  return (
    <Pill
      size="md"
      h={28}
      withRemoveButton
      removeButtonProps={{
        'aria-label': removeLabel,
        'tabIndex': 0,
        'aria-hidden': false,
        'mih': 24,
        'miw': 24,
      }}
      onRemove={onRemove}
    >
      {children}
    </Pill>
  );
}
