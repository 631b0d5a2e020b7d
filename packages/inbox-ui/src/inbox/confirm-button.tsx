import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEvent, ReactNode, Ref } from 'react';

interface ConfirmButtonProps extends ButtonProps {
  readonly 'children': ReactNode;
  readonly 'ref'?: Ref<HTMLButtonElement>;
  readonly 'type'?: 'submit' | 'button';
  /** Id of the form to submit, if the button is outside it. */
  readonly 'form'?: string | undefined;
  readonly 'aria-disabled'?: boolean;
  'onClick'?(): void;
}

/**
 * Button that confirms a decision. It ignores the second click of a double click, because that click was meant for the
 * element that the button has replaced.
 */
export function ConfirmButton({ onClick, ...props }: ConfirmButtonProps) {
  return (
    <Button
      {...props}
      onClick={(event: MouseEvent) => {
        if (event.detail > 1) event.preventDefault();
        else onClick?.();
      }}
    />
  );
}
