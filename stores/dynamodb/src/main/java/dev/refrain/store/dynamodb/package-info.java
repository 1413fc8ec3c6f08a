/** Store in Amazon DynamoDB: {@link dev.refrain.store.dynamodb.DynamoDbStore}. */
@NullMarked
package dev.refrain.store.dynamodb;

import org.jspecify.annotations.NullMarked;
