/** The parts of Temporal's SDK that the workflow of the benchmark uses. Its types are not part of every build. */
declare module '@temporalio/workflow' {
  export function proxyActivities<T>(options: { readonly startToCloseTimeout: string }): T;
  export function proxySinks<T>(): T;
  export function defineSignal<Args extends readonly unknown[]>(name: string): { readonly args?: Args };
  export function setHandler<Args extends readonly unknown[]>(
    definition: { readonly args?: Args },
    handler: (...args: Args) => void,
  ): void;
  export function condition(check: () => boolean): Promise<void>;
  export function workflowInfo(): { readonly workflowId: string };
}
