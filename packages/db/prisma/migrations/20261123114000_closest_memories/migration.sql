-- The memories of all projects whose signatures differ least from one. Where the service has made an index with pgvector, its
-- operator is used, otherwise all signatures are compared, or none if there are too many. The operator's name is only read if it
-- is used, so the function works with and without pgvector, also when that is added or removed later.
CREATE FUNCTION "closest_memories"(query bit(1024), in_space text, wanted int)
RETURNS TABLE ("memory_id" uuid, "content_key" text, "distance" bigint) LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass('memory_embeddings_signature_hnsw_idx') IS NOT NULL AND to_regoperator('<~>(bit,bit)') IS NOT NULL THEN
    -- Until the end of the transaction. The index returns as many as are wanted, also where others are in another space.
    PERFORM set_config('hnsw.ef_search', least(greatest(wanted, 40), 1000)::text, true),
      set_config('hnsw.iterative_scan', 'strict_order', true);
    RETURN QUERY EXECUTE
      'SELECT e.memory_id, e.content_key, bit_count(e.signature # $1) FROM memory_embeddings e
       WHERE e.space = $2 AND e.signature IS NOT NULL ORDER BY e.signature <~> $1 LIMIT $3'
      USING query, in_space, wanted;
  ELSIF (SELECT reltuples <= 200000 FROM pg_class WHERE oid = 'memory_embeddings'::regclass) THEN
    RETURN QUERY
      SELECT e.memory_id, e.content_key, bit_count(e.signature # query) AS distance FROM memory_embeddings e
      WHERE e.space = in_space AND e.signature IS NOT NULL ORDER BY 3 LIMIT wanted;
  END IF;
END $$;
