import { Alert, Anchor, List } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { texts } from '../../texts/index.js';
import type { ValueError } from './find-value-errors.js';

interface FormErrorListProps {
  readonly errors: readonly ValueError[];
  /** Number of failed attempts to submit. Each one moves the focus to the list, so that screen readers read it. */
  readonly attempt: number;
  /** Moves to the field of the error. */
  onGoToField?(error: ValueError): void;
}

/** List of errors to fix before a form can be sent. */
export function FormErrorList({ errors, attempt, onGoToField }: FormErrorListProps) {
  const alertRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) alertRef.current?.focus();
  }, [attempt]);
  if (errors.length === 0) return null;
  return (
    <Alert ref={alertRef} tabIndex={-1} role="alert" color="red" title={texts.forms.errors(errors.length)}>
      <List size="sm">
        {errors.map((error, index) => {
          const text = texts.forms.at(
            error.path.length === 0 ? texts.forms.whole : error.path.join(' › '),
            error.message,
          );
          return (
            <List.Item key={index}>
              {onGoToField === undefined || error.path.length === 0 ? (
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
                  onClick={() => onGoToField(error)}
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
