import { Alert, Anchor, List } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { texts } from '../../texts/index.js';
import type { ValueFault } from './check-value.js';

interface FaultListProps {
  readonly faults: readonly ValueFault[];
  /** Number of attempts: on each failure the list takes the focus, so that screen readers read it. */
  readonly attempt: number;
  /** Moves to the field of the error. */
  onGo?(fault: ValueFault): void;
}

/** List of errors to fix before a form can be sent. */
export function FaultList({ faults, attempt, onGo }: FaultListProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) box.current?.focus();
  }, [attempt]);
  if (faults.length === 0) return null;
  return (
    <Alert ref={box} tabIndex={-1} role="alert" color="red" title={texts.forms.errors(faults.length)}>
      <List size="sm">
        {faults.map((fault, index) => {
          const text = texts.forms.at(
            fault.path.length === 0 ? texts.forms.whole : fault.path.join(' › '),
            fault.message,
          );
          return (
            <List.Item key={index}>
              {onGo === undefined || fault.path.length === 0 ? (
                text
              ) : (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  mih={24}
                  ta="left"
                  c="inherit"
                  td="underline"
                  onClick={() => onGo(fault)}
                >
                  {text}
                </Anchor>
              )}
            </List.Item>
          );
        })}
      </List>
    </Alert>
  );
}
