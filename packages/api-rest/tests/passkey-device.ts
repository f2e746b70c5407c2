import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a page of a site asks a device to sign. */
export interface Ceremony {
  readonly challenge: string;
  readonly origin: string;
  /** The host name that a passkey belongs to. */
  readonly site?: string;
  /** Whether the device has verified who uses it. */
  readonly isVerified?: boolean;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A device with one passkey, which responds as browsers do. */
export function createPasskeyDevice() {
  const id = randomBytes(16);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let uses = 0;

  function authenticatorData(
    { site = "localhost", isVerified = true }: Ceremony,
    credential = Buffer.alloc(0),
  ): Buffer {
    const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (credential.length > 0 ? HAS_CREDENTIAL : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(uses);
    return Buffer.concat([sha256(site), Buffer.from([flags]), counter, credential]);
  }

  function respond(response: Readonly<Record<string, Buffer>>) {
    const encoded = Object.entries(response).map(([name, bytes]) => [name, bytes.toString("base64url")]);
    const credential = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };
    return { ...credential, clientExtensionResults: {}, response: Object.fromEntries(encoded) };
  }

  return {
    /** The new passkey. */
    register(ceremony: Ceremony) {
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ]);
      const data = authenticatorData(ceremony, Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]));
      const attestationObject = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.from([data.length]),
        data,
      ]);
      return respond({ clientDataJSON: clientData("webauthn.create", ceremony), attestationObject });
    },

    /** A signature, by which somebody signs in. */
    sign(ceremony: Ceremony) {
      uses += 1;
      const [data, client] = [authenticatorData(ceremony), clientData("webauthn.get", ceremony)];
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return respond({ clientDataJSON: client, authenticatorData: data, signature });
    },
  };
}

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();

const clientData = (type: string, { challenge, origin }: Ceremony): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
