import { describe, expect, it } from "vitest";
import { withSessionOptions } from "./session-options.ts";

describe("withSessionOptions", () => {
  it("keeps the configuration's options, but overrides the time zone", () => {
    const { options } = withSessionOptions({ options: "-c TimeZone=Asia/Tokyo -c work_mem=8MB" });
    expect(options).toMatch(/^-c TimeZone=Asia\/Tokyo -c work_mem=8MB -c TimeZone=UTC /);
  });

  it("removes options from a connection string, where they would override all others", () => {
    const connectionString = "postgres://me:p%40ss@host:5433/db?options=-c%20work_mem%3D8MB&sslmode=require";
    const config = withSessionOptions({ connectionString });
    expect(config.connectionString).toBe("postgres://me:p%40ss@host:5433/db?sslmode=require");
    expect(config.options).toMatch(/^-c work_mem=8MB -c TimeZone=UTC /);
  });

  it("leaves other connection strings unchanged", () => {
    const connectionString = "socket:/run/postgresql?db=workspace";
    expect(withSessionOptions({ connectionString })).toMatchObject({ connectionString });
  });
});
