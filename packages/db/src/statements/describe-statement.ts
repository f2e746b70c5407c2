import type { Connection, FieldDef, PoolClient, Submittable } from "pg";

/**
 * Has PostgreSQL parse a statement without running it, and returns the columns of its result, which are none if it returns no
 * rows. Rejects with PostgreSQL's error if the statement is invalid.
 */
export function describeStatement(client: PoolClient, text: string): Promise<readonly FieldDef[]> {
  return new Promise((resolve, reject) => {
    client.query(new Description(text, resolve, reject));
  });
}

/** An object that pg submits to its connection, and whose methods it calls with the server's messages. */
class Description implements Submittable {
  private fields: readonly FieldDef[] = [];

  private readonly text: string;
  private readonly resolve: (fields: readonly FieldDef[]) => void;
  private readonly reject: (error: Error) => void;

  constructor(text: string, resolve: (fields: readonly FieldDef[]) => void, reject: (error: Error) => void) {
    this.text = text;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit = (connection: Connection): void => {
    connection.parse({ name: "", text: this.text, types: [] }, true);
    connection.describe({ type: "S", name: "" }, true);
    connection.sync();
  };

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    this.fields = fields;
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.fields);
  }
}
