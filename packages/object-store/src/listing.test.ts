import { describe, expect, it } from "vitest";
import { readListing } from "./listing.ts";

describe("a list of objects", () => {
  it("is read with the place where it goes on", () => {
    const xml = `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>
      <IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b</NextContinuationToken><Prefix>p</Prefix>
      <Contents><Key>x/1</Key><Size>7</Size><ETag>&quot;ab&quot;</ETag><Owner><ID>1</ID></Owner></Contents>
      <Contents><Key>x/2</Key><Size>0</Size><LastModified>2026-11-27T10:00:00.000Z</LastModified></Contents>
      <CommonPrefixes><Prefix>x/y/</Prefix></CommonPrefixes></ListBucketResult>`;
    expect(readListing(xml)).toEqual({
      objects: [
        { key: "x/1", size: 7, etag: "ab", modifiedAt: new Date(0) },
        { key: "x/2", size: 0, etag: "", modifiedAt: new Date("2026-11-27T10:00:00Z") },
      ],
      prefixes: ["x/y/"],
      next: "a&b",
    });
  });

  it("has keys with any characters, if the store encodes them", () => {
    const keyIn = (encoding: string): string | undefined =>
      readListing(`<ListBucketResult>${encoding}<Contents><Key>a+b%2Bc%01.md</Key></Contents></ListBucketResult>`)
        .objects[0]?.key;
    expect(keyIn("<EncodingType>url</EncodingType>")).toBe("a b+c\u0001.md");
    expect(keyIn("")).toBe("a+b%2Bc%01.md");
  });

  it.each(["<html></html>", "no list", "<ListBucketResult>"])("is refused if it is none: %s", (text) => {
    expect(() => readListing(text)).toThrow("The store has");
  });
});
