/** Last request to a server process. */
export interface CloseRequest {
  readonly type: 'close';
}

export interface ServerResponse {
  readonly error?: string;
}

/** Executes the requests to this process, one after the other. */
export function serveRequests<Request>(execute: (request: Request) => Promise<void>): void {
  process.on('message', (request: Request) => {
    void execute(request)
      .then(
        (): ServerResponse => ({}),
        (error: unknown): ServerResponse => ({
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      )
      .then((response) => process.send?.(response));
  });
  process.on('disconnect', () => process.exit());
}
