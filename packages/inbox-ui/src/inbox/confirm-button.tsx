import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEvent, ReactNode, Ref } from 'react';

interface ConfirmButtonProps extends ButtonProps {
  readonly 'children': ReactNode;
  readonly 'ref'?: Ref<HTMLButtonElement>;
  readonly 'type'?: 'submit' | 'button';
  /** Of the form that it submits, where that is not around it. */
  readonly 'form'?: string | undefined;
  readonly 'aria-disabled'?: boolean;
  'onClick'?(): void;
}

/** A button that decides. The second click of a double click was meant for what stood there before, and does nothing. */
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
