-- In millions, for each change of the stock: what is free and what is reserved after it. The last row is the stock at the end.
WITH moves AS (
  SELECT position, data ->> '$.at' AS at, type,
    coalesce(data ->> '$.quantityM', data ->> '$.differenceM', 0) AS quantityM
  FROM events WHERE stream = 'stock-main'
)
SELECT at, type, quantityM,
  SUM(CASE WHEN type IN ('StockSet', 'StockAdjusted', 'StockReleased') THEN quantityM
      WHEN type = 'StockReserved' THEN -quantityM ELSE 0 END) OVER (ORDER BY position) AS freeM,
  SUM(CASE WHEN type = 'StockReserved' THEN quantityM
      WHEN type IN ('StockReleased', 'StockCommitted') THEN -quantityM ELSE 0 END) OVER (ORDER BY position) AS reservedM
  FROM moves ORDER BY position
